// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicSequence {
  /// Returns the values with which written times, such as bars and beats, are converted to ticks of
  /// this sequence.
  ///
  /// These are the tempo and meter maps, length, markers, frame rate and SMPTE offset.
  ///
  /// - Parameters:
  ///   - findingMarkers: True, the default, to include the markers. If false, only the tempo track
  ///     is read.
  ///   - name: Decodes the name of a marker.
  /// - Returns: The context.
  /// - Throws: `SequenceError.outOfRange` if times do not fit into 64 bits.
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

  /// The first valid SMPTE offset.
  private var smpteOffset: Timecode? {
    for event in tempoTrack.events {
      guard case .meta(let meta) = event.content, meta.type == 0x54 else { continue }
      do {
        return try SMPTEOffset(payload: meta.bytes).timecode
      } catch {
        // An invalid offset is ignored; `check` reports it.
        continue
      }
    }
    return nil
  }

  /// The ticks of the markers by name.
  ///
  /// If several markers have one name, the first is used.
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
