// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// A reader of a tempo map that is faster for ascending positions, because it remembers the last
  /// one.
  ///
  /// In ascending order a conversion is O(1): the cursor tries the current tempo and the next one
  /// before it searches. Conversions in any other order are also correct.
  public struct Cursor: Sendable {
    /// The map that the cursor reads.
    public let map: TempoMap
    @usableFromInline var index = 0
    @usableFromInline var step: TempoStep
    @usableFromInline var nextStart: Int64
    @usableFromInline var nextTotal: Int64

    @inlinable
    init(_ map: TempoMap) {
      self.map = map
      step = map.step(0)
      nextStart = map.steps.count > 1 ? map.steps[1].start : .max
      nextTotal = map.steps.count > 1 ? map.steps[1].total : .max
    }
  }

  /// Returns a cursor at the start of the map.
  @inlinable
  public func makeCursor() -> Cursor { Cursor(self) }
}

extension TempoMap.Cursor {
  /// Converts a tick to media time.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the time is not whole
  ///   nanoseconds; `TimeError.overflow` beyond 292 years.
  /// - Complexity: O(1) in ascending order, otherwise O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public mutating func mediaTime(
    at tick: Tick, rounding: Rounding
  ) throws(TimeError) -> Converted<MediaTime> {
    if tick.value < step.start || tick.value >= nextStart {
      move(to: map.starts.lastIndex(atOrBelow: tick.value, near: index))
    }
    return try step.nanoseconds(at: tick.value, map.nanosecondScale, rounding)
      .map(MediaTime.init(nanoseconds:))
  }

  /// Converts a tick to a sample frame, counted from the start of the song.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between frames;
  ///   `TimeError.overflow` if the frame does not fit in 64 bits.
  /// - Complexity: O(1) in ascending order, otherwise O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public mutating func sampleTime(
    at tick: Tick, rate: SampleRate, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    if tick.value < step.start || tick.value >= nextStart {
      move(to: map.starts.lastIndex(atOrBelow: tick.value, near: index))
    }
    return try step.value(
      at: tick.value, Int64(rate.hertz), map.unitsPerSecond, rounding, unit: "sample frames"
    )
    .map(SampleTime.init(frames:))
  }

  /// Converts a media time to a tick.
  ///
  /// - Throws: `TimeError.inexact` if the rounding is `exact` and the position is between ticks;
  ///   `TimeError.overflow` if the tick does not fit in 64 bits.
  /// - Complexity: O(1) in ascending order, otherwise O(log n) in the number of changes.
  /// - Note: Real-time safe.
  @inlinable
  public mutating func tick(
    at time: MediaTime, rounding: Rounding
  ) throws(TimeError) -> Converted<Tick> {
    let total = map.nanosecondScale.totalRoundedDown(of: time.nanoseconds)
    if total < step.total || total >= nextTotal {
      move(to: map.totals.lastIndex(atOrBelow: total, near: index))
    }
    return try step.tick(atNanoseconds: time.nanoseconds, map.nanosecondScale, rounding).map {
      Tick($0)
    }
  }

  @usableFromInline
  mutating func move(to index: Int) {
    self.index = index
    step = map.step(index)
    let next = index + 1
    let hasNext = next < map.steps.count
    nextStart = hasNext ? map.steps[next].start : .max
    nextTotal = hasNext ? map.steps[next].total : .max
  }
}

extension StepIndex {
  /// The last index whose key is at or below a value; tries the step after `index` first.
  @usableFromInline
  func lastIndex(atOrBelow value: Int64, near index: Int) -> Int {
    let next = index + 1
    if next < count, keys[next] <= value, next + 1 == count || value < keys[next + 1] {
      return next
    }
    return lastIndex(atOrBelow: value)
  }
}
