// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// The sound processing of your own unit.
///
/// A `KernelUnit` makes a unit from the kernel.
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
  /// The kernel must write every sample of the outputs. A quantum (64 frames) is rendered as one
  /// block, or as several blocks if messages are due within it.
  mutating func render(_ block: SoundBlock)

  /// Receives a message that is due at the first frame of the next block.
  ///
  /// The default implementation ignores the message.
  mutating func take(_ message: Message)
}

extension SoundKernel {
  /// Ignores the message: by default a kernel does not use messages.
  public mutating func take(_ message: Message) {}
}
