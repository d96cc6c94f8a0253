// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Passes the sound of a bus to another thread, such as a file writer or a display.
///
/// Interleaved samples wait in a ring buffer. If the ring buffer is full, frames are dropped and
/// counted.
///
/// - Note: One thread at a time may read, except the render thread.
public final class RecordingTap: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The tap does not have outputs.
  public var outputChannelCounts: [Int] { [] }
  private let ring: RingBuffer<Float>
  private let kernel: KernelBox<RecordingKernel>

  /// Creates a tap.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels.
  ///   - capacity: the number of frames that can wait, 64…2²⁴.
  public init(name: String = "tap", channelCount: Int = 2, capacity: Int) {
    precondition((64...1 << 24).contains(capacity), "a tap holds 64 to 2^24 frames")
    self.name = name
    inputChannelCounts = [channelCount]
    ring = RingBuffer(minimumCapacity: capacity * channelCount)
    kernel = unsafe KernelBox(
      RecordingKernel(channelCount: channelCount, ring: ring.writer), RecordingKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// Reads interleaved samples, in whole frames, oldest first.
  ///
  /// - Parameters:
  ///   - frameLimit: the maximum number of frames.
  ///   - body: called with each sample.
  /// - Returns: the number of frames that were read.
  /// - Complexity: O(n) in the number of samples.
  public func fetch(upTo frameLimit: Int = .max, _ body: (Float) -> Void) -> Int {
    let channelCount = inputChannelCounts[0]
    let frames = min(frameLimit, ring.reader.count / channelCount)
    return ring.reader.pop(atMost: frames * channelCount, body) / channelCount
  }

  /// The number of frames that were dropped because the ring buffer was full.
  ///
  /// - Note: Any thread.
  public var droppedFrameCount: Int { kernel.pointee.droppedFrames.load(ordering: .relaxed) }
}
