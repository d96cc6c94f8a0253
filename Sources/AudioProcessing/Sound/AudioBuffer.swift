// SPDX-License-Identifier: Apache-2.0

/// The owner of one or more planar channels of one quantum each.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
public struct AudioBuffer: ~Copyable {
  /// The channels, for a unit to read or to write; valid while the buffer lives.
  public let bus: Bus

  /// Creates a buffer of silence.
  ///
  /// - Precondition: `channelCount` is above zero.
  public init(channelCount: Int) {
    precondition(channelCount > 0, "the channel count must be above 0")
    bus = unsafe Bus(
      samples: SampleLoop.allocate(channelCount: channelCount), channelCount: channelCount)
  }

  deinit {
    unsafe bus.samples.deallocate()
  }
}

/// A stream between units: where one quantum of each of its channels lies.
///
/// - Note: Real-time safe. It owns nothing; the plan that made it does.
@safe
public struct Bus: BitwiseCopyable {
  /// The number of channels.
  public let channelCount: Int
  @usableFromInline let samples: UnsafeMutablePointer<Float>

  /// Names channels that lie one quantum apart.
  @unsafe
  public init(samples: UnsafeMutablePointer<Float>, channelCount: Int) {
    unsafe self.samples = samples
    self.channelCount = channelCount
  }

  /// The first sample of a channel; `AudioFormat.quantum` of them follow one another.
  ///
  /// - Precondition: `index` is a channel of the bus; it is not checked in release.
  @unsafe @inlinable @_noAllocation @_noLocks
  public func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    assert(index >= 0 && index < channelCount, "channel index out of range")
    return unsafe samples + index &* AudioFormat.quantum
  }

  /// Writes silence.
  @_noAllocation @_noLocks
  public func clear() {
    unsafe samples.update(repeating: 0, count: channelCount &* AudioFormat.quantum)
  }

  /// Copies the samples of another bus, which has as many channels.
  @_noAllocation @_noLocks
  public func copy(_ source: Bus) {
    assert(source.channelCount == channelCount, "the channel counts must match")
    let from = unsafe SampleLoop.lanes(source.samples)
    let to = unsafe SampleLoop.lanes(samples)
    for lane in 0..<channelCount &* SampleLoop.laneCount { unsafe to[lane] = from[lane] }
  }

  /// The highest magnitude of all channels at a frame, 0 or more.
  @inline(__always) @_noAllocation @_noLocks
  func peak(at frame: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<channelCount {
      peak = max(peak, unsafe self.channel(channel)[frame].magnitude)
    }
    return peak
  }

  /// One sample.
  ///
  /// - Precondition: the channel and the frame lie within the bus.
  public subscript(channel: Int, frame: Int) -> Float {
    precondition(channel >= 0 && channel < channelCount, "channel index out of range")
    precondition(frame >= 0 && frame < AudioFormat.quantum, "frame index out of range")
    return unsafe samples[channel &* AudioFormat.quantum &+ frame]
  }

  /// Cuts the bus into buses that follow one another; together they have no more channels.
  func split(_ channelCounts: [Int]) -> [Bus] {
    var first = 0
    return channelCounts.map { count in
      defer { first += count }
      precondition(first + count <= channelCount, "channel range out of bounds")
      return unsafe Bus(samples: samples + first * AudioFormat.quantum, channelCount: count)
    }
  }
}
