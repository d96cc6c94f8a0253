// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A buffer of samples that your program fills and a `SoundQueue` plays.
///
/// The buffer can be filled again after it was played. Samples are floats with full scale at ±1,
/// and not interleaved.
///
/// - Note: One thread at a time may fill the buffer, and only while it is not enqueued.
@safe
public final class SoundBuffer: @unchecked Sendable {
  // Unchecked: one thread writes the samples and their count, and queues only read them. `uses`
  // separates writing from reading.

  /// The number of channels.
  public let channelCount: Int
  /// The maximum number of frames.
  public let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let uses = Atomic<Int>(0)
  private var count: Int

  /// Creates a buffer of silence whose frame count is the capacity.
  ///
  /// - Parameters:
  ///   - channelCount: the number of channels, 1…64.
  ///   - capacity: the maximum number of frames, 1…2³⁰.
  public init(channelCount: Int = 2, capacity: Int) {
    precondition((1...64).contains(channelCount), "a buffer has 1 to 64 channels")
    precondition((1...1 << 30).contains(capacity), "a buffer holds 1 to 2^30 frames")
    self.channelCount = channelCount
    self.capacity = capacity
    count = capacity
    unsafe samples = .allocate(capacity: channelCount * capacity)
    unsafe samples.initialize(repeating: 0, count: channelCount * capacity)
  }

  /// Creates a buffer with samples.
  ///
  /// - Parameters:
  ///   - samples: whole frames, interleaved, at least one.
  ///   - channelCount: the number of channels, 1…64.
  /// - Complexity: O(n) in the number of samples.
  public convenience init(interleaved samples: [Float], channelCount: Int = 2) {
    precondition(samples.count >= channelCount, "a buffer holds at least one frame")
    self.init(channelCount: channelCount, capacity: samples.count / channelCount)
    fill(interleaved: samples.span)
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// The number of frames that the queue plays of this buffer, 0…`capacity`.
  ///
  /// Set it only while the buffer is not enqueued.
  public var frameCount: Int {
    get { count }
    set {
      precondition(!isEnqueued, "an enqueued buffer cannot be changed")
      precondition(
        (0...capacity).contains(newValue), "the frame count must not exceed the capacity")
      count = newValue
    }
  }

  /// True while the buffer waits in a queue or is being played.
  ///
  /// - Note: Any thread.
  public var isEnqueued: Bool { uses.load(ordering: .acquiring) > 0 }

  /// Calls a closure with the memory of a channel, `capacity` samples, to be filled.
  ///
  /// - Precondition: the buffer is not enqueued, and has the channel.
  public func withSamples<Result>(
    of channel: Int, _ body: (inout MutableSpan<Float>) throws -> Result
  ) rethrows -> Result {
    precondition(!isEnqueued, "an enqueued buffer cannot be changed")
    precondition((0..<channelCount).contains(channel), "channel index out of range")
    var span = unsafe MutableSpan(
      _unsafeStart: samples + channel * capacity, count: capacity)
    return try body(&span)
  }

  /// Copies samples into the buffer, and sets the frame count.
  ///
  /// - Parameter source: whole frames, interleaved, at most `capacity` frames.
  /// - Precondition: the buffer is not enqueued.
  /// - Complexity: O(n) in the number of samples.
  public func fill(interleaved source: Span<Float>) {
    precondition(source.count % channelCount == 0, "samples must be whole frames")
    frameCount = source.count / channelCount
    for frame in 0..<count {
      for channel in 0..<channelCount {
        unsafe samples[channel * capacity + frame] = source[frame * channelCount + channel]
      }
    }
  }

  /// Records that a queue uses the buffer.
  func hold() { uses.add(1, ordering: .relaxed) }

  /// Records that a queue does not use the buffer any more.
  func letGo() { uses.subtract(1, ordering: .releasing) }

  /// A frame of the first channel.
  ///
  /// The next channel is `capacity` samples after it.
  func start(at frame: Int) -> UnsafePointer<Float> { unsafe UnsafePointer(samples + frame) }
}
