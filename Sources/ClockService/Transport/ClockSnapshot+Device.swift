// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Positions by the frames of the device whose pace the clock follows.
extension ClockSnapshot {
  /// The clock's position when a frame of the device passes, in ticks and their fractions.
  ///
  /// A clock without a master moves by a constant number of ticks in a frame, which depends on tempo
  /// and nominal rate and not on the device's pace. With a master, the frame's host time is used.
  ///
  /// - Parameter frame: the frame, with its fraction.
  /// - Returns: the ticks; nil if the clock does not follow a device.
  /// - Throws: `TimeError.overflow` if the fraction does not fit 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(atFrame frame: Double) throws(TimeError) -> Ratio? {
    guard let pace else { return nil }
    return mode == .alone
      ? try clock.ticks(at: pace.time(ofFrame: frame))
      : try ticks(at: pace.hostTime(ofFrame: frame))
  }

  /// The frame of the device at which a position is reached, was or would have been, by the line
  /// that holds at an instant.
  ///
  /// - Parameters:
  ///   - seconds: the position, in seconds of the piece.
  ///   - time: the instant.
  /// - Returns: the frame, with its fraction; nil if the clock is stopped or does not follow a
  ///   device.
  /// - Throws: `TimeError.overflow` if fractions do not fit 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func frame(atSeconds seconds: Ratio, at time: HostTime) throws(TimeError) -> Double? {
    guard let pace else { return nil }
    guard mode == .alone else {
      let host = try anchor(at: time)?.hostTime(atSeconds: seconds, rounding: .nearest).value
      return host.map { pace.frame(at: $0) }
    }
    let now = pace.time(ofFrame: pace.frame(at: time))
    // Reference time in the place of host time.
    guard let line = clock.line(at: now).map({ TimeBase.host.hostLine(of: $0) }) else { return nil }
    let tick = Tick(line.firstCount(atOrAfter: HostTime(nanoseconds: now.nanoseconds)))
    let due = try HostAnchor(line, in: clock.tempoMap, at: tick)
      .hostTime(atSeconds: seconds, rounding: .nearest).value
    return pace.frame(at: ReferenceTime(nanoseconds: due.nanoseconds))
  }
}
