// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import MusicSequences
internal import MusicalTime

/// The maps, the SMPTE offset and the markers of a song, for `convert --song`.
struct ConvertSong {
  private let name: String
  private let sequence: MusicSequence
  /// What the reading of the file makes of the command's status.
  let status: ExitStatus

  init(path: String) throws {
    let source = try Self.source(path)
    name = source.name
    do {
      let file = try SMFReader(keepsSource: false).read(source.bytes)
      guard let first = file.sequences.first else {
        throw Failure(.badData, "\(source.name): there is no track in it")
      }
      sequence = first
      status = file.isRepaired ? .partial : .success
    } catch let error as SequenceError {
      throw Failure.notSong(source.name, source.bytes, error)
    }
    if status == .partial {
      Terminal.report("\(name): read with repairs (downbeat info shows them)")
    }
  }

  private static func source(_ path: String) throws(Failure) -> SongFile {
    do {
      return try SongFile(path: path)
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
  }

  /// The context of the song.
  func context(markers: Bool) throws -> TimeContext {
    do {
      return try TimeContext(of: sequence, findingMarkers: markers)
    } catch {
      throw Failure(.badData, "\(name): \(error)")
    }
  }
}
