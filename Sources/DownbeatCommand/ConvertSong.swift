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
      throw Failure(.badData, "\(source.name): \(error)")
    }
    if status == .partial {
      Terminal.report("\(name): read with repairs (downbeat info shows them)")
    }
  }

  private static func source(_ path: String) throws(Failure) -> SongFile {
    do {
      return try SongFile(path: path)
    } catch {
      throw Failure(.noInput, "\(error)")
    }
  }

  /// The context of the song.
  func context(markers: Bool) throws -> TimeContext {
    do {
      var context = TimeContext(tempoMap: try sequence.tempoMap, meterMap: try sequence.meterMap)
      context.smpteOffset = smpteOffset
      context.frameRate = divisionRate ?? context.smpteOffset?.rate
      context.length = sequence.length
      if markers { context.markers = self.markers }
      return context
    } catch {
      throw Failure(.badData, "\(name): \(error)")
    }
  }

  private var divisionRate: FrameRate? {
    guard case .smpte(let rate, _) = sequence.division else { return nil }
    return rate
  }

  /// The first SMPTE offset of the file; one that names no label is told and left out.
  private var smpteOffset: Timecode? {
    for event in sequence.tempoTrack.events {
      guard case .meta(let meta) = event.content, meta.type == 0x54 else { continue }
      do {
        return try SMPTEOffset(payload: meta.bytes).timecode
      } catch {
        Terminal.report("\(name): SMPTE offset left out: \(error)")
      }
    }
    return nil
  }

  /// The markers by name; of several with one name the first.
  private var markers: [String: Tick] {
    var found: [String: Tick] = [:]
    for track in [sequence.tempoTrack] + sequence.tracks {
      for event in track.events {
        guard case .meta(let meta) = event.content, meta.textType == .marker else { continue }
        let name = String(decoding: meta.bytes, as: UTF8.self)
        if let known = found[name], known <= event.tick { continue }
        found[name] = event.tick
      }
    }
    return found
  }
}
