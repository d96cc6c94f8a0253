// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Positions by the frames of the device that the clock follows.
extension ClockSnapshot {
  /// Returns the clock's position at a frame of the sound device, in ticks with fractions.
  ///
  /// Without a master, the clock advances by a constant number of ticks per frame, which is
  /// calculated from the tempo and the nominal sample rate, not from the measured speed of the
  /// device. With a master, the host time of the frame is used.
  ///
  /// - Parameter frame: The frame, with its fraction.
  /// - Returns: The ticks; nil if the clock does not follow a device.
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(atFrame frame: Double) throws(TimeError) -> Ratio? {
    guard let pace else { return nil }
    return mode == .alone
      ? try clock.ticks(at: pace.time(ofFrame: frame))
      : try ticks(at: pace.hostTime(ofFrame: frame))
  }

  /// Returns the frame of the sound device at which a position in the song is reached.
  ///
  /// The calculation assumes the tempo and the play rate at an instant. The result may be before or
  /// after that instant.
  ///
  /// - Parameters:
  ///   - seconds: The position, in seconds of the song.
  ///   - time: The instant whose tempo and play rate are used.
  /// - Returns: The frame, with its fraction; nil if the clock is stopped or does not follow a
  ///   device.
  /// - Throws: `TimeError.overflow` if fractions do not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func frame(atSeconds seconds: Ratio, at time: HostTime) throws(TimeError) -> Double? {
    guard let pace else { return nil }
    guard mode == .alone else {
      let host = try anchor(at: time)?.hostTime(atSeconds: seconds, rounding: .nearest).value
      return host.map { pace.frame(at: $0) }
    }
    let now = pace.time(ofFrame: pace.frame(at: time))
    // Reference time in place of host time.
    guard let line = clock.line(at: now).map({ TimeBase.host.hostLine(of: $0) }) else { return nil }
    let tick = Tick(line.firstCount(atOrAfter: HostTime(nanoseconds: now.nanoseconds)))
    let due = try HostAnchor(line, in: clock.tempoMap, at: tick)
      .hostTime(atSeconds: seconds, rounding: .nearest).value
    return pace.frame(at: ReferenceTime(nanoseconds: due.nanoseconds))
  }
}
