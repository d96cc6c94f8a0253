// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// What turns a written time into a place in this sequence: maps, length, markers, rate and
  /// offset.
  ///
  /// - Parameters:
  ///   - findingMarkers: whether markers are looked for; if not, only the tempo track is read.
  ///   - name: gives the name of a marker.
  /// - Returns: the context.
  /// - Throws: `SequenceError.outOfRange` where times do not fit 64 bits.
  /// - Complexity: O(n).
  public func timeContext(
    findingMarkers: Bool = true, naming name: (MetaText) -> String = { $0.string }
  ) throws(SequenceError) -> TimeContext {
    var context = TimeContext(tempoMap: try tempoMap, meterMap: try meterMap)
    context.length = length
    context.smpteOffset = smpteOffset
    if case .smpte(let rate, _) = division { context.frameRate = rate }
    if context.frameRate == nil { context.frameRate = smpteOffset?.rate }
    if findingMarkers { context.markers = markers(naming: name) }
    return context
  }

  /// The first SMPTE offset that names a label.
  private var smpteOffset: Timecode? {
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
  private func markers(naming name: (MetaText) -> String) -> [String: Tick] {
    var found: [String: Tick] = [:]
    for track in tracks {
      for event in track.events {
        guard case .meta(let meta) = event.content, meta.textType == .marker else { continue }
        let name = name(MetaText(meta.bytes))
        if let known = found[name], known <= event.tick { continue }
        found[name] = event.tick
      }
    }
    return found
  }
}
