// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension TempoMap {
  /// Calls `body` with each part of a window in which a line of media time and the map make one line
  /// of ticks.
  ///
  /// - Parameters:
  ///   - window: the window.
  ///   - media: when media time passes.
  ///   - shift: nanoseconds of media time at tick 0.
  ///   - body: given each part, with its line.
  func forEachPiece(
    of window: HostWindow, along media: Timeline<MediaTime, HostTime>, shift: Int64,
    _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void
  ) {
    do throws(TimeError) {
      var start = window.lowerBound
      while start < window.upperBound {
        let piece = try line(from: start, media, shift: shift)
        let end = min(window.upperBound, max(piece.validUntil, start.advanced(byNanoseconds: 1)))
        body(start..<end, piece)
        start = end
      }
    } catch {
      // Past what 64 bits hold: nothing is played there.
      return
    }
  }

  /// The line of ticks from an instant on, up to the next tempo change.
  ///
  /// The origin is the first tick, to a nanosecond; the slope is good to 2⁻⁴⁰, far less than that
  /// in the tenth of a second that a piece lasts.
  private func line(
    from start: HostTime, _ media: Timeline<MediaTime, HostTime>, shift: Int64
  ) throws(TimeError) -> Timeline<Tick, HostTime> {
    let now = try media.count(at: start, rounding: .floor).value - shift
    let tick = try tick(at: MediaTime(nanoseconds: now), rounding: .floor).value
    let map = try mediaLine(at: tick)
    let origin = map.timeRoundedUp(atCount: tick.value).nanoseconds
    let slope = map.slope * media.slope
    let end =
      map.validUntil.nanoseconds == .max
      ? HostTime(nanoseconds: .max)
      : media.timeRoundedUp(atCount: map.validUntil.nanoseconds + shift)
    return Timeline(
      countOrigin: tick.value,
      scaledOrigin: Int128(media.timeRoundedUp(atCount: origin + shift).nanoseconds) << 20,
      numerator: max(1, Int64(slope * 0x1p20)), denominator: 1 << 20, validUntil: end)
  }
}

extension Timeline {
  /// Nanoseconds a count.
  var slope: Double { Double(numerator) / Double(denominator) }
}
