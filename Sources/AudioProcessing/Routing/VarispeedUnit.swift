// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Plays a graph faster or slower, which also changes the pitch, like a tape.
///
/// The inner graph has a separate timeline, on which its events are placed, and is rendered as fast
/// as the speed requires. A windowed sinc with 32 zero crossings interpolates between samples, and
/// filters out aliasing at speeds above 1. At speed 1 the sound passes unchanged.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class VarispeedUnit: SettableUnit {
  /// The parameters of the unit.
  public enum Setting: Int, Sendable {
    /// Speed: the number of frames of the inner graph for each output frame, 0.25…4; default 1.
    case speed
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The unit does not have inputs; it plays the inner graph.
  public var inputChannelCounts: [Int] { [] }
  /// The channel count of the inner graph's head.
  public let outputChannelCounts: [Int]
  /// The inner graph, compiled; edit it with `RenderPlan.edit`.
  public let plan: RenderPlan
  /// The parameters: the speed.
  public let parameters: ParameterSet
  private let kernel: KernelBox<VarispeedKernel>

  /// Compiles a graph to be played at a variable speed.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - graph: the graph.
  ///   - rate: the sample rate.
  /// - Throws: `GraphError` if the graph cannot be compiled.
  public init(
    name: String = "varispeed", _ graph: AudioGraph, rate: SampleRate
  ) throws(GraphError) {
    self.name = name
    self.rate = rate
    plan = try graph.compile()
    outputChannelCounts = [plan.output.channelCount]
    parameters = ParameterSet(
      [Parameter("speed", .number, 0.25...4, initially: 1, rampSeconds: 0.02)], rate: rate,
      unit: name)
    kernel = unsafe KernelBox(
      VarispeedKernel(plan, bank: parameters.bank), VarispeedKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The first frame of the inner graph that is not rendered yet; up to 448 frames more than the
  /// output needs at the moment.
  ///
  /// - Note: Any thread.
  public var innerPosition: SampleTime {
    SampleTime(frames: kernel.pointee.innerFrame.load(ordering: .acquiring))
  }
}
