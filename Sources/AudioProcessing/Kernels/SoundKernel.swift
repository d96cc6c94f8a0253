// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// What a unit of a program's own does with sound; `KernelUnit` makes a unit of it.
///
/// A gain takes a few lines:
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
/// - Note: Both methods are called on the render thread: they must not allocate, lock, wait or make
///   a system call. What a kernel needs it allocates when it is created.
public protocol SoundKernel: Sendable {
  /// Renders the frames of a block, and writes every sample of its outputs.
  ///
  /// A quantum is one block, or several where messages come within it.
  mutating func render(_ block: SoundBlock)

  /// Takes a message that is due at the first frame of the next block; a kernel that plays nothing
  /// leaves it out.
  mutating func take(_ message: Message)
}

extension SoundKernel {
  /// Leaves the message alone.
  public mutating func take(_ message: Message) {}
}
