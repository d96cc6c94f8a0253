// SPDX-License-Identifier: Apache-2.0

/// A unit made of a program's own function: an effect, a tap, or, without buses, a notification
/// of each quantum (`AudioGraph.addOpener`, `addCloser`).
///
/// - Note: The function is called on the render thread: it must not allocate, lock, wait or make
///   a system call.
@safe
public final class FunctionUnit: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channels of each input bus.
  public let inputChannelCounts: [Int]
  /// The channels of each output bus.
  public let outputChannelCounts: [Int]
  /// The function and what it is given.
  public let step: RenderStep

  /// Names a function.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages.
  ///   - inputs: the channels of each input bus.
  ///   - outputs: the channels of each output bus, of which it writes every sample.
  ///   - context: the function's first argument, which must outlive every plan with the unit.
  ///   - function: renders one quantum; its second argument is a `RenderBlock`.
  @unsafe
  public init(
    name: String, inputs: [Int] = [], outputs: [Int] = [], context: UnsafeMutableRawPointer,
    _ function: @escaping RenderStep.Function
  ) {
    self.name = name
    inputChannelCounts = inputs
    outputChannelCounts = outputs
    step = unsafe RenderStep(kernel: context, function: function)
  }
}
