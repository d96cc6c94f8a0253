// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MusicClock {
  /// Where the clock stands at an instant, in ticks and their fractions, exactly.
  ///
  /// Before its start it stands where it will start.
  ///
  /// - Throws: `TimeError.overflow` where the fraction does not fit 128 bits.
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

  /// The next instant, from an instant on, at which a place between ticks sounds, in nanoseconds
  /// and their fractions, exactly; nil where it never does.
  ///
  /// - Parameters:
  ///   - ticks: A place in the piece; one inside the loop sounds in every pass.
  ///   - time: The earliest answer.
  /// - Returns: The nanoseconds of host time.
  /// - Throws: `TimeError.overflow` where a fraction does not fit 128 bits.
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

  /// How long a quarter note is at a tick: by the tempo in force and the play rate.
  func nanosecondsPerQuarter(at tick: Tick) -> Ratio {
    let written = Ratio(Int64(mapInForce.tempo(at: tick).tenNanosecondsPerQuarter) * 10)
    do {
      return try written / playRate
    } catch {
      // A play rate whose fraction does not fit: as written.
      return written
    }
  }
}
