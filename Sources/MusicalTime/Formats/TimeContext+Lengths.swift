// SPDX-License-Identifier: Apache-2.0

extension TimeContext {
  /// The position of a sum: the first term, moved by the length of each further term.
  func position(ofSum terms: [TimeExpression.Term]) throws(TimeError) -> TimePosition {
    guard let first = terms.first else { return .seconds(.zero) }
    var place = try position(of: first.value)
    for term in terms.dropFirst() {
      place = try moved(place, by: term.value, term.isNegative ? -1 : 1)
    }
    return place
  }

  /// A position moved later by a length, or earlier if the sign is −1.
  private func moved(
    _ place: TimePosition, by length: TimeExpression.Value, _ sign: Ratio
  ) throws(TimeError) -> TimePosition {
    switch length {
    case .barBeat(let bars, let beats, let subbeats, let divisor):
      let parts = divisor ?? subbeatDivisor
      guard parts > 0 else { throw .zeroDivisor }
      let count = try Ratio(Int64(beats)) + Ratio(Int64(subbeats), over: Int64(parts))
      let start = try quarters(quarters(of: place), movedByBars: sign * Ratio(Int64(bars)))
      let beat = try meterMap.signature(at: start).quartersPerBeat
      return .quarters(try start + sign * count * beat)
    case .beats(let quarters): return .quarters(try self.quarters(of: place) + sign * quarters)
    case .ticks:
      guard case .ticks(let ticks) = try position(of: length) else {
        return .quarters(try quarters(of: place) + sign * quarters(of: position(of: length)))
      }
      return .ticks(try self.ticks(of: place) + sign * ticks)
    default: return .seconds(try seconds(of: place) + sign * seconds(ofLength: length))
    }
  }

  /// The same position inside a bar that is a number of bars later.
  private func quarters(
    _ place: Ratio, movedByBars bars: Ratio
  ) throws(TimeError) -> Ratio {
    guard bars != 0 else { return place }
    let bar = try meterMap.barBeat(at: place, divisor: 1, rounding: .floor).value.bar
    guard let other = Int32(exactly: try (Ratio(Int64(bar)) + bars).numerator) else {
      throw .overflow("bars")
    }
    let inside = try place - start(ofBar: bar)
    return try start(ofBar: other) + inside
  }

  private func start(ofBar bar: Int32) throws(TimeError) -> Ratio {
    try meterMap.quarters(at: BarBeat(bar: bar, beat: 1, divisor: 1))
  }

  /// A length in seconds; time codes and frames count from 00:00:00:00, without the SMPTE offset.
  private func seconds(ofLength length: TimeExpression.Value) throws(TimeError) -> Ratio {
    switch length {
    case .timecode(let written): try timecode(written).seconds
    case .frames: try seconds(of: position(of: length)) + offsetSeconds
    default: try seconds(of: position(of: length))
    }
  }

  /// The tick of the marker with a name, or of the only marker whose name differs just in case.
  ///
  /// - Throws: `TimeError.noMarker` with the names of all markers; `TimeError.missingContext` if
  ///   the context has none.
  func marker(_ name: String) throws(TimeError) -> Tick {
    if let tick = markers[name] { return tick }
    let folded = name.lowercased()
    let alike = markers.filter { $0.key.lowercased() == folded }
    if alike.count == 1, let (_, tick) = alike.first { return tick }
    guard !markers.isEmpty else { throw .missingContext("a song with the marker \(name)") }
    let names = markers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    throw .noMarker(name, among: names)
  }
}
