// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

extension TimeContext {
  /// The context of a sequence: its maps, length, markers, rate and SMPTE offset.
  ///
  /// Without `findingMarkers` no event is looked at, only the tempo track's.
  init(of sequence: MusicSequence, findingMarkers: Bool = true) throws(SequenceError) {
    self.init(tempoMap: try sequence.tempoMap, meterMap: try sequence.meterMap)
    length = sequence.length
    smpteOffset = sequence.smpteOffset
    if case .smpte(let rate, _) = sequence.division { frameRate = rate }
    if frameRate == nil { frameRate = smpteOffset?.rate }
    if findingMarkers { markers = sequence.markers }
  }
}

extension MusicSequence {
  /// The first SMPTE offset that names a label.
  fileprivate var smpteOffset: Timecode? {
    for event in tempoTrack.events {
      guard case .meta(let meta) = event.content, meta.type == 0x54 else { continue }
      do {
        return try SMPTEOffset(payload: meta.bytes).timecode
      } catch {
        // One without meaning shifts nothing; `check` tells of it.
        continue
      }
    }
    return nil
  }

  /// The markers by name; of several with one name the first.
  fileprivate var markers: [String: Tick] {
    var found: [String: Tick] = [:]
    for track in tracks {
      for event in track.events {
        guard case .meta(let meta) = event.content, meta.textType == .marker else { continue }
        let name = MetaText(meta.bytes).decoded
        if let known = found[name], known <= event.tick { continue }
        found[name] = event.tick
      }
    }
    return found
  }
}
