// SPDX-License-Identifier: Apache-2.0

/// A graph as a unit of another: its inlets are the unit's inputs, its head the output.
///
/// The graph inside can be rewired while it sounds, like the one outside.
///
/// - Note: Control side; the sound is made on the render thread.
public final class SubgraphUnit: ProcessingUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// One bus for each inlet.
  public let inputChannelCounts: [Int]
  /// The bus of the head.
  public let outputChannelCounts: [Int]
  /// The graph inside.
  public let plan: RenderPlan
  private let inlets: [Inlet]
  private let kernel: KernelBox<SubgraphKernel>

  /// Compiles a graph to stand in another.
  ///
  /// - Parameters:
  ///   - name: what the unit is called in messages.
  ///   - graph: the graph, its inlets among its units.
  ///   - inlets: the inlets in the order of the unit's inputs.
  /// - Throws: `GraphError` where the graph cannot be compiled.
  public init(name: String, _ graph: AudioGraph, inlets: [Inlet] = []) throws(GraphError) {
    self.name = name
    self.inlets = inlets
    plan = try graph.compile()
    inputChannelCounts = inlets.flatMap(\.outputChannelCounts)
    outputChannelCounts = [plan.output.channelCount]
    kernel = unsafe KernelBox(
      SubgraphKernel(plan, inlets: inlets.map(\.buffer)), SubgraphKernel.function)
  }

  /// An inlet on which nothing is connected is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The frames by which the graph inside is behind.
  public var latency: Int { plan.latency }

  /// True: the graph inside can be rewired.
  public var latencyVaries: Bool { true }

  /// The frames for which the graph inside may sound on.
  public var tail: Int { plan.tail }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// Where the sound from outside comes into a graph that stands in another.
  public final class Inlet: SavableUnit {
    /// The unit's name, for messages and graphs.
    public let name: String
    /// None.
    public var inputChannelCounts: [Int] { [] }
    /// One bus.
    public let outputChannelCounts: [Int]
    let buffer: Bus
    private let memory: AudioBuffer
    private let kernel: KernelBox<InletKernel>

    /// Creates an inlet.
    ///
    /// - Parameters:
    ///   - name: what it is called in messages.
    ///   - channelCount: the channels of its bus.
    public init(name: String = "inlet", channelCount: Int = 2) {
      self.name = name
      outputChannelCounts = [channelCount]
      memory = AudioBuffer(channelCount: channelCount)
      buffer = memory.bus
      kernel = unsafe KernelBox(InletKernel(memory.bus), InletKernel.function)
    }

    /// The inlet's kernel.
    public var step: RenderStep { kernel.step }

    /// The settings from which a saved graph restores it.
    public var setup: UnitSetup? {
      UnitSetup("inlet", ["channels": .count(outputChannelCounts[0])])
    }
  }
}
