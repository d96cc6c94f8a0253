// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// Plays a graph faster or slower, and higher or lower with it, as a tape does.
///
/// The graph inside is pulled as fast as the speed asks; its frames are counted by themselves, so
/// that its events are placed in its own time. What lies between its samples is found by a windowed
/// sinc of 32 zero crossings, which at a speed above 1 removes what would fold over. At speed 1 the
/// sound passes bit for bit.
///
/// - Note: Control side; the sound is made on the render thread.
public final class VarispeedUnit: SettableUnit {
  /// The parameters of a varispeed.
  public enum Setting: Int, Sendable {
    /// Frames inside for each outside, 0.25…4; 1 at first.
    case speed
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// None: what it plays is inside.
  public var inputChannelCounts: [Int] { [] }
  /// The bus of the head inside.
  public let outputChannelCounts: [Int]
  /// The graph inside.
  public let plan: RenderPlan
  /// The speed.
  public let parameters: ParameterSet
  private let kernel: KernelBox<VarispeedKernel>

  /// Compiles a graph to be played.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages.
  ///   - graph: the graph.
  ///   - rate: frames a second.
  /// - Throws: `GraphError` where the graph cannot be compiled.
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

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The first frame inside that has not been rendered: up to 448 frames ahead of what sounds.
  ///
  /// - Note: Any thread.
  public var innerPosition: SampleTime {
    SampleTime(frames: kernel.pointee.innerFrame.load(ordering: .acquiring))
  }
}
