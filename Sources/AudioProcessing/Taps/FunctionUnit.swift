// SPDX-License-Identifier: Apache-2.0

/// A unit made from your own function, which processes, generates or receives sound.
///
/// A unit without buses is a callback for each quantum; add it with `AudioGraph.addOpener` or
/// `addCloser`.
///
/// - Note: The function is called on the render thread. The function must not allocate, lock, wait
///   or make system calls.
@safe
public final class FunctionUnit: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channel count of each input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output bus.
  public let outputChannelCounts: [Int]
  /// The function that renders one quantum, and its context.
  public let step: RenderStep

  /// Creates a unit from a function.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - inputs: the channel count of each input bus.
  ///   - outputs: the channel count of each output bus. The function must write every sample.
  ///   - context: the first argument of the function; it must outlive every plan that contains the
  ///     unit.
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
