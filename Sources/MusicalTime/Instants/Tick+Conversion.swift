// SPDX-License-Identifier: Apache-2.0

extension Tick {
  /// Converts the tick to another number of ticks per quarter note.
  ///
  /// - Parameters:
  ///   - old: The ticks per quarter note of this tick.
  ///   - new: The ticks per quarter note of the result.
  ///   - rounding: The rounding to a whole tick.
  /// - Returns: The tick, with the residue in ticks of the new resolution.
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  @inlinable
  public func rescaled(
    from old: PPQN, to new: PPQN, rounding: Rounding
  ) throws(TimeError) -> Converted<Tick> {
    try scale(value, by: Int64(new.ticks), over: Int64(old.ticks), rounding, unit: "ticks")
      .map { Tick($0) }
  }
}

extension SampleRate {
  /// Converts a sample frame to the time from the start of the stream.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  @inlinable
  public func mediaTime(
    of time: SampleTime, rounding: Rounding
  ) throws(TimeError) -> Converted<MediaTime> {
    try scale(time.frames, by: 1_000_000_000, over: Int64(hertz), rounding, unit: "nanoseconds")
      .map(MediaTime.init(nanoseconds:))
  }

  /// Converts a time from the start of the stream to a sample frame.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the result is not a whole number;
  ///   `TimeError.overflow` if the result is out of range.
  @inlinable
  public func sampleTime(
    at time: MediaTime, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    try scale(
      time.nanoseconds, by: Int64(hertz), over: 1_000_000_000, rounding, unit: "sample frames"
    ).map(SampleTime.init(frames:))
  }
}
