// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Hands what a bus carries to another thread: to a file, a display, a program.
///
/// The samples wait in a ring, interleaved; what nobody fetches in time is left out and counted.
///
/// - Note: Control side; one thread fetches, which may be any.
public final class RecordingTap: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// One bus.
  public let inputChannelCounts: [Int]
  /// None.
  public var outputChannelCounts: [Int] { [] }
  private let ring: RingBuffer<Float>
  private let kernel: KernelBox<RecordingKernel>

  /// Creates a tap.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of the bus.
  ///   - capacity: the frames that can wait, 64…2²⁴.
  public init(name: String = "tap", channelCount: Int = 2, capacity: Int) {
    precondition((64...1 << 24).contains(capacity), "a tap holds 64 to 2^24 frames")
    self.name = name
    inputChannelCounts = [channelCount]
    ring = RingBuffer(minimumCapacity: capacity * channelCount)
    kernel = unsafe KernelBox(
      RecordingKernel(channelCount: channelCount, ring: ring.writer), RecordingKernel.function)
  }

  /// The tap's kernel.
  public var step: RenderStep { kernel.step }

  /// Fetches interleaved samples, whole frames, oldest first.
  ///
  /// - Parameters:
  ///   - frameLimit: how many frames at most.
  ///   - body: is given each sample.
  /// - Returns: how many frames there were.
  /// - Complexity: O(n) in the number of samples.
  public func fetch(upTo frameLimit: Int = .max, _ body: (Float) -> Void) -> Int {
    let channelCount = inputChannelCounts[0]
    let frames = min(frameLimit, ring.reader.count / channelCount)
    return ring.reader.pop(atMost: frames * channelCount, body) / channelCount
  }

  /// Frames that were left out because the ring was full.
  ///
  /// - Note: Any thread.
  public var droppedFrameCount: Int { kernel.pointee.droppedFrames.load(ordering: .relaxed) }
}
