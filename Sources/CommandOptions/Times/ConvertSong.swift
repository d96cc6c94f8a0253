// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MusicSequences
internal import MusicalTime

/// The maps, the SMPTE offset and the markers of a song, for `convert --song`.
struct ConvertSong {
  private let name: String
  private let sequence: MusicSequence
  /// The exit status after reading the file.
  let status: ExitStatus

  init(path: String) throws(Failure) {
    let song = try Song(path: path, keepsSource: false)
    guard let first = song.file.sequences.first else {
      throw Failure(.badData, "\(song.name): does not contain a track")
    }
    (name, sequence, status) = (song.name, first, song.status)
    if status == .partial {
      Terminal.report("\(name): was repaired (downbeat info lists the repairs)")
    }
  }

  /// Creates the context of the song.
  func context(markers: Bool) throws -> TimeContext {
    do {
      return try TimeContext(of: sequence, findingMarkers: markers)
    } catch {
      throw Failure(.badData, "\(name): \(error)")
    }
  }
}
