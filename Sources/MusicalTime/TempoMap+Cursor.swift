// SPDX-License-Identifier: Apache-2.0

extension TempoMap {
  /// A reader of a tempo map that remembers where it was.
  ///
  /// In ascending order a conversion is O(1): the current step, then the next, then ever larger
  /// jumps. Any order gives right answers.
  public struct Cursor: Sendable {
    /// The map that is read.
    public let map: TempoMap
    @usableFromInline var index = 0
    @usableFromInline var step: TempoStep
    @usableFromInline var nextStart: Int64
    @usableFromInline var nextTotal: Int64

    @inlinable
    init(_ map: TempoMap) {
      self.map = map
      step = map.step(0)
      nextStart = map.starts.count > 1 ? map.starts[1] : .max
      nextTotal = map.totals.count > 1 ? map.totals[1] : .max
    }
  }

  /// A cursor at the beginning of the map.
  @inlinable
  public func makeCursor() -> Cursor { Cursor(self) }
}

extension TempoMap.Cursor {
  /// The media time of a tick.
  ///
  /// - Throws: `TimeError.inexact` for rounding `exact`; `TimeError.overflow` past 292 years.
  /// - Complexity: O(1) in ascending order, otherwise O(log n) in the number of changes.
  @inlinable
  public mutating func mediaTime(
    at tick: Tick, rounding: Rounding
  ) throws(TimeError) -> Converted<MediaTime> {
    if tick.value < step.start || tick.value >= nextStart {
      move(to: advance(in: map.starts, from: index, to: tick.value))
    }
    return try step.value(at: tick.value, map.nanosecondScale, rounding, unit: "nanoseconds")
      .map(MediaTime.init(nanoseconds:))
  }

  /// The sample frame of a tick, counted from the piece's origin.
  ///
  /// - Throws: `TimeError.inexact` for rounding `exact`; `TimeError.overflow` past 64 bits.
  /// - Complexity: O(1) in ascending order, otherwise O(log n) in the number of changes.
  @inlinable
  public mutating func sampleTime(
    at tick: Tick, rate: SampleRate, rounding: Rounding
  ) throws(TimeError) -> Converted<SampleTime> {
    if tick.value < step.start || tick.value >= nextStart {
      move(to: advance(in: map.starts, from: index, to: tick.value))
    }
    return try step.value(at: tick.value, map.scale(of: rate), rounding, unit: "sample frames")
      .map(SampleTime.init(frames:))
  }

  /// The tick at a media time.
  ///
  /// - Throws: `TimeError.inexact` for rounding `exact`; `TimeError.overflow` past 64 bits.
  /// - Complexity: O(1) in ascending order, otherwise O(log n) in the number of changes.
  @inlinable
  public mutating func tick(
    at time: MediaTime, rounding: Rounding
  ) throws(TimeError) -> Converted<Tick> {
    let total = map.nanosecondScale.totalRoundedDown(of: time.nanoseconds)
    if total < step.total || total >= nextTotal {
      move(to: advance(in: map.totals, from: index, to: total))
    }
    return try step.tick(at: time.nanoseconds, map.nanosecondScale, rounding).map { Tick($0) }
  }

  @usableFromInline
  mutating func move(to index: Int) {
    self.index = index
    step = map.step(index)
    let next = index + 1
    nextStart = next < map.starts.count ? map.starts[next] : .max
    nextTotal = next < map.totals.count ? map.totals[next] : .max
  }
}

/// The last index whose key is at or below a value, looked for from a known index on.
///
/// - Complexity: O(log d) in the distance moved forward; O(log n) backward.
@usableFromInline
func advance(in keys: [Int64], from index: Int, to value: Int64) -> Int {
  guard keys[index] <= value else { return lastIndex(in: keys, atOrBelow: value) }
  var low = index
  var jump = 1
  while low + jump < keys.count, keys[low + jump] <= value {
    low += jump
    jump *= 2
  }
  var high = min(low + jump, keys.count)
  while high - low > 1 {
    let middle = (low + high) / 2
    if keys[middle] <= value { low = middle } else { high = middle }
  }
  return low
}
