// SPDX-License-Identifier: Apache-2.0

/// Owns memory for one quantum of samples of each channel.
///
/// Channels are not interleaved.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
public struct AudioBuffer: ~Copyable {
  /// The channels for reading and writing, which must not be used after the buffer is destroyed.
  public let bus: Bus

  /// Creates a silent buffer.
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

/// One quantum of sound that units exchange: a pointer to the samples of each channel.
///
/// - Note: Real-time safe. A bus does not own its memory; the plan or buffer that created it does.
@safe
public struct Bus: BitwiseCopyable {
  /// The number of channels.
  public let channelCount: Int
  @usableFromInline let samples: UnsafeMutablePointer<Float>

  /// Creates a bus over memory that contains one quantum of each channel, channel after channel.
  ///
  /// The bus does not own the memory.
  @unsafe
  public init(samples: UnsafeMutablePointer<Float>, channelCount: Int) {
    unsafe self.samples = samples
    self.channelCount = channelCount
  }

  /// Returns a pointer to the samples of a channel; there are `AudioFormat.quantum` of them.
  ///
  /// - Precondition: the bus has the channel; release builds do not check this.
  @unsafe @inlinable @_noAllocation @_noLocks
  public func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    assert(index >= 0 && index < channelCount, "channel index out of range")
    return unsafe samples + index &* AudioFormat.quantum
  }

  /// Sets all samples to zero.
  @_noAllocation @_noLocks
  public func clear() {
    unsafe samples.update(repeating: 0, count: channelCount &* AudioFormat.quantum)
  }

  /// Copies the samples of another bus with the same channel count.
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

  /// The sample of a channel at a frame.
  ///
  /// - Precondition: the bus has the channel, and the frame is 0…63.
  public subscript(channel: Int, frame: Int) -> Float {
    precondition(channel >= 0 && channel < channelCount, "channel index out of range")
    precondition(frame >= 0 && frame < AudioFormat.quantum, "frame index out of range")
    return unsafe samples[channel &* AudioFormat.quantum &+ frame]
  }

  /// Splits the bus into consecutive buses, which together have at most its channels.
  func split(_ channelCounts: [Int]) -> [Bus] {
    var first = 0
    return channelCounts.map { count in
      defer { first += count }
      precondition(first + count <= channelCount, "channel range out of bounds")
      return unsafe Bus(samples: samples + first * AudioFormat.quantum, channelCount: count)
    }
  }
}
