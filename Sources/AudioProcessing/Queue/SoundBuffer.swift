// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Frames that a program fills, for a `SoundQueue` to play; it can be filled anew once they were played.
///
/// Samples are of single precision, full scale at ±1, each channel apart.
///
/// - Note: One thread at a time fills it, and nobody while it is enqueued.
@safe
public final class SoundBuffer: @unchecked Sendable {
  // Unchecked: whoever fills it writes the samples and their count, and queues only read them; `uses`
  // keeps the one from the others.

  /// The samples in a frame.
  public let channelCount: Int
  /// The frames that there is room for.
  public let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let uses = Atomic<Int>(0)
  private var count: Int

  /// Creates a buffer of silence that is full.
  ///
  /// - Parameters:
  ///   - channelCount: the samples in a frame, 1…64.
  ///   - capacity: the frames that there is room for, 1…2³⁰.
  public init(channelCount: Int = 2, capacity: Int) {
    precondition((1...64).contains(channelCount), "a buffer has 1 to 64 channels")
    precondition((1...1 << 30).contains(capacity), "a buffer holds 1 to 2^30 frames")
    self.channelCount = channelCount
    self.capacity = capacity
    count = capacity
    unsafe samples = .allocate(capacity: channelCount * capacity)
    unsafe samples.initialize(repeating: 0, count: channelCount * capacity)
  }

  /// Creates a buffer that holds samples.
  ///
  /// - Parameters:
  ///   - samples: interleaved, whole frames, one at least.
  ///   - channelCount: the samples in a frame, 1…64.
  /// - Complexity: O(n) in the number of samples.
  public convenience init(interleaved samples: [Float], channelCount: Int = 2) {
    precondition(samples.count >= channelCount, "a buffer holds at least one frame")
    self.init(channelCount: channelCount, capacity: samples.count / channelCount)
    fill(interleaved: samples.span)
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// The frames that it holds, 0…`capacity`; to be set while it is not enqueued.
  public var frameCount: Int {
    get { count }
    set {
      precondition(!isEnqueued, "an enqueued buffer cannot be changed")
      precondition(
        (0...capacity).contains(newValue), "the frame count must not exceed the capacity")
      count = newValue
    }
  }

  /// Whether it waits in a queue, or sounds.
  ///
  /// - Note: Any thread.
  public var isEnqueued: Bool { uses.load(ordering: .acquiring) > 0 }

  /// Lets a closure write the samples of a channel, as many as there is room for.
  ///
  /// - Precondition: it is not enqueued, and has the channel.
  public func withSamples<Result>(
    of channel: Int, _ body: (inout MutableSpan<Float>) throws -> Result
  ) rethrows -> Result {
    precondition(!isEnqueued, "an enqueued buffer cannot be changed")
    precondition((0..<channelCount).contains(channel), "channel index out of range")
    var span = unsafe MutableSpan(
      _unsafeStart: samples + channel * capacity, count: capacity)
    return try body(&span)
  }

  /// Takes samples, and holds as many frames as there are.
  ///
  /// - Parameter source: interleaved, whole frames, no more than there is room for.
  /// - Precondition: it is not enqueued.
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

  /// Takes note that a queue holds it.
  func hold() { uses.add(1, ordering: .relaxed) }

  /// Takes note that a queue is done with it.
  func letGo() { uses.subtract(1, ordering: .releasing) }

  /// A frame of the first channel; those of the next are `capacity` on.
  func start(at frame: Int) -> UnsafePointer<Float> { unsafe UnsafePointer(samples + frame) }
}
