// SPDX-License-Identifier: Apache-2.0

/// A graph as a unit of another graph.
///
/// Its inlets are the inputs of the unit, and its head is the output.
///
/// The inner graph can be edited while it plays.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class SubgraphUnit: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The channel count of each inlet.
  public let inputChannelCounts: [Int]
  /// The channel count of the head.
  public let outputChannelCounts: [Int]
  /// The inner graph.
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

  /// True: an inlet without a connection is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The latency of the inner graph, in frames.
  public var latency: Int { plan.latency }

  /// True: the inner graph can be edited.
  public var latencyVaries: Bool { true }

  /// The frames for which the inner graph can continue to sound.
  public var tail: Int { plan.tail }

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// An input of a subgraph: the source of sound from the outer graph.
  public final class Inlet: SavableUnit {
    /// The unit's name, for messages and graphs.
    public let name: String
    /// The inlet does not have inputs in the inner graph.
    public var inputChannelCounts: [Int] { [] }
    /// One bus.
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

    /// The kernel and its render function.
    public var step: RenderStep { kernel.step }

    /// The settings from which a saved graph restores the unit.
    public var setup: UnitSetup? {
      UnitSetup("inlet", ["channels": .count(outputChannelCounts[0])])
    }
  }
}
