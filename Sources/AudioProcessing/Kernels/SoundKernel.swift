// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// The sound processing of your own unit.
///
/// `KernelUnit` makes a unit from it.
///
/// For example, a gain:
///
/// ```swift
/// struct Gain: SoundKernel {
///   func render(_ block: SoundBlock) {
///     let gain = block.curve(of: 0)
///     for channel in 0..<block.outputChannelCount() {
///       let input = block.input(channel)
///       var output = block.output(channel)
///       for frame in 0..<block.frameCount { output[frame] = input[frame] * gain[frame] }
///     }
///   }
/// }
/// ```
///
/// - Note: Both methods are called on the render thread. They must not allocate, lock, wait or make
///   system calls. Allocate the kernel's memory when you create it.
public protocol SoundKernel: Sendable {
  /// Renders the frames of a block.
  ///
  /// Every sample of the outputs must be written.
  ///
  /// A quantum is one block, or several blocks if messages are due within it.
  mutating func render(_ block: SoundBlock)

  /// Receives a message that is due at the first frame of the next block.
  ///
  /// The default implementation ignores it.
  mutating func take(_ message: Message)
}

extension SoundKernel {
  /// Ignores the message.
  public mutating func take(_ message: Message) {}
}
