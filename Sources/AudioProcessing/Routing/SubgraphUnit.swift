// SPDX-License-Identifier: Apache-2.0

/// A unit that contains a graph, so that a graph can be used inside another graph.
///
/// The inlets of the inner graph are the inputs of the unit. The head of the inner graph, the bus
/// that goes to its output, is the output of the unit. The inner graph can be edited while it
/// plays.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class SubgraphUnit: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channel count of each input, which is an inlet of the inner graph.
  public let inputChannelCounts: [Int]
  /// The channel count of the output, which is the head of the inner graph.
  public let outputChannelCounts: [Int]
  /// The inner graph, compiled; edit it with `RenderPlan.edit`.
  public let plan: RenderPlan
  private let inlets: [Inlet]
  private let kernel: KernelBox<SubgraphKernel>

  /// Compiles a graph as a unit of another graph.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - graph: the graph, which contains the inlets.
  ///   - inlets: the inlets, in the order of the unit's inputs.
  /// - Throws: `GraphError` if the graph cannot be compiled.
  public init(name: String, _ graph: AudioGraph, inlets: [Inlet] = []) throws(GraphError) {
    self.name = name
    self.inlets = inlets
    plan = try graph.compile()
    inputChannelCounts = inlets.flatMap(\.outputChannelCounts)
    outputChannelCounts = [plan.output.channelCount]
    kernel = unsafe KernelBox(
      SubgraphKernel(plan, inlets: inlets.map(\.buffer)), SubgraphKernel.function)
  }

  /// True: an input without a connection is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The latency of the inner graph, in frames.
  public var latency: Int { plan.latency }

  /// True: the inner graph can be edited.
  public var latencyVaries: Bool { true }

  /// The number of frames for which the inner graph can continue to sound.
  public var tail: Int { plan.tail }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// An input of a subgraph: a unit of the inner graph that supplies sound from the outer graph.
  public final class Inlet: SavableUnit {
    /// The unit's name, for messages and graphs.
    public let name: String
    /// The inlet does not have inputs in the inner graph.
    public var inputChannelCounts: [Int] { [] }
    /// The channel count of each output: the unit has one output bus.
    public let outputChannelCounts: [Int]
    let buffer: Bus
    private let memory: AudioBuffer
    private let kernel: KernelBox<InletKernel>

    /// Creates an inlet.
    ///
    /// - Parameters:
    ///   - name: the unit's name, for messages and graphs.
    ///   - channelCount: the number of channels.
    public init(name: String = "inlet", channelCount: Int = 2) {
      self.name = name
      outputChannelCounts = [channelCount]
      memory = AudioBuffer(channelCount: channelCount)
      buffer = memory.bus
      kernel = unsafe KernelBox(InletKernel(memory.bus), InletKernel.function)
    }

    /// The unit's kernel, with the function that renders one quantum.
    public var step: RenderStep { kernel.step }

    /// The settings from which a saved graph restores the unit.
    public var setup: UnitSetup? {
      UnitSetup("inlet", ["channels": .count(outputChannelCounts[0])])
    }
  }
}
