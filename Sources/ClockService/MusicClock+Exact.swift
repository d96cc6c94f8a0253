// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicClock {
  /// Returns the exact position at an instant, in ticks with fractions.
  ///
  /// Before the clock has started, the start position is returned.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(at time: ReferenceTime) throws(TimeError) -> Ratio {
    let now = standing(at: time)
    guard isRunning, let scale, time > run.anchor.time else {
      return try mapInForce.ticks(of: now.place)
    }
    let ticks = try timeline(now, time, scale).exactCount(at: time)
    guard now.pass > run.pass, let loop = run.loop else { return ticks }
    return max(ticks, Ratio(loop.start.value))
  }

  /// Returns the exact time at which a position between ticks sounds next, in nanoseconds with
  /// fractions.
  ///
  /// - Parameters:
  ///   - ticks: A position in the song; a position inside the loop sounds in every pass.
  ///   - time: The earliest result.
  /// - Returns: Nanoseconds of reference time; nil if the position does not sound any more.
  /// - Throws: `TimeError.overflow` if a fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func nanoseconds(
    ofTicks ticks: Ratio, from time: ReferenceTime
  ) throws(TimeError) -> Ratio? {
    guard isRunning, let scale else { return nil }
    let below = Tick(try ticks.rounded(.floor, unit: "ticks").value)
    let isPast = try ticks < self.ticks(at: time)
    guard let base = base(of: below, isPast: isPast, standing(at: time)) else { return nil }
    let line = mapInForce.timeline(
      of: base, at: mapInForce.time(of: below, in: base, scale: scale), scale: scale)
    let due = try line.nanoseconds(atPosition: ticks)
    return due >= Ratio(time.nanoseconds) ? due : nil
  }

  /// The length of a quarter note at a tick, by the effective tempo and the play rate.
  func nanosecondsPerQuarter(at tick: Tick) -> Ratio {
    let written = Ratio(Int64(mapInForce.tempo(at: tick).tenNanosecondsPerQuarter) * 10)
    do {
      return try written / playRate
    } catch {
      // The length at the play rate is not a fraction of 64-bit integers: as written.
      return written
    }
  }
}
