// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Foundation

extension AVAudioEngine {
  /// Connects an output of a node to an input of another node.
  ///
  /// Existing connections of the output and of the input are replaced.
  ///
  /// - Parameters:
  ///   - node1: The source node.
  ///   - node2: The destination node.
  ///   - bus1: The number of the source's output.
  ///   - bus2: The number of the destination's input, at most 1023.
  ///   - format: The format of the connection; nil for the format of the source's output.
  public func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus,
    toBus bus2: AVAudioNodeBus, format: AVAudioFormat?
  ) {
    connect(
      node1, to: [AVAudioConnectionPoint(node: node2, bus: bus2)], fromBus: bus1, format: format)
  }

  /// Connects the first output of a node to another node.
  ///
  /// If the destination is a mixer, its first free input is used, otherwise its first input.
  /// Existing connections of the output and of that input are replaced.
  ///
  /// - Parameters:
  ///   - node1: The source node.
  ///   - node2: The destination node.
  ///   - format: The format of the connection; nil for the format of the source's output.
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    attach(node1)
    attach(node2)
    join(node1, node2, format ?? node1.outputFormat(forBus: 0))
    openInput()
  }

  /// Connects two nodes of the engine.
  func join(_ node1: AVAudioNode, _ node2: AVAudioNode, _ format: AVAudioFormat) {
    lock.withLock {
      let known = model.links(from: node1, 0).first { $0.target === node2 }?.input
      let bus = node2.hasAnyInputs ? known ?? model.freeInput(of: node2) : 0
      link(node1, 0, to: [AVAudioConnectionPoint(node: node2, bus: bus)], format)
    }
  }

  /// Connects an output of a node to several inputs.
  ///
  /// Existing connections of the output and of the inputs are replaced. A connection that would
  /// form a loop is not made; `connectionError` then contains the error.
  ///
  /// - Parameters:
  ///   - sourceNode: The source node.
  ///   - destNodes: The destination nodes and their inputs.
  ///   - sourceBus: The number of the source's output.
  ///   - format: The format of the connections; nil for the format of the source's output.
  public func connect(
    _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint],
    fromBus sourceBus: AVAudioNodeBus, format: AVAudioFormat?
  ) {
    attach(sourceNode)
    for point in destNodes { if let node = point.node { attach(node) } }
    link(sourceNode, sourceBus, to: destNodes, format ?? sourceNode.outputFormat(forBus: sourceBus))
    openInput()
  }

  private func link(
    _ source: AVAudioNode, _ bus: Int, to points: [AVAudioConnectionPoint],
    _ format: AVAudioFormat
  ) {
    guard bus == 0, source !== output, source.numberOfOutputs > 0 else { return }
    do {
      try change { model in
        guard model.contains(source) else { return }
        model.removeLinks { $0.source === source && $0.output == bus }
        for point in points {
          try Self.add(source, bus, to: point, format, in: &model)
        }
        guard !model.hasForkedSection else {
          throw AVFAudioError.error(
            kAUGraphErr_InvalidConnection, call: "connect",
            reason: "an output in front of a time effect would also reach another input")
        }
      }
      noteConnection(nil)
    } catch {
      noteConnection(error as NSError)
    }
  }

  private static func add(
    _ source: AVAudioNode, _ bus: Int, to point: AVAudioConnectionPoint, _ format: AVAudioFormat,
    in model: inout EngineModel
  ) throws {
    guard let node = point.node, model.contains(node), (0...1023).contains(point.bus),
      node.hasAnyInputs || point.bus < node.numberOfInputs
    else { return }
    guard !model.hasPath(from: node, to: source) else {
      throw AVFAudioError.error(
        kAUGraphErr_InvalidConnection, call: "connect",
        reason: "the connection would close a circle (disconnect the nodes first)")
    }
    model.removeLinks { $0.target === node && $0.input == point.bus }
    model.add(
      EngineModel.Link(source: source, output: bus, target: node, input: point.bus, format: format))
  }

  /// Removes the connection of an input.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The number of the input.
  public func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    change { $0.removeLinks { $0.target === node && $0.input == bus } }
  }

  /// Removes the connections of all inputs of a node.
  ///
  /// - Parameter node: The node.
  public func disconnectNodeInput(_ node: AVAudioNode) {
    change { $0.removeLinks { $0.target === node } }
  }

  /// Removes the connections of an output.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The number of the output.
  public func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    change { $0.removeLinks { $0.source === node && $0.output == bus } }
  }

  /// Removes the connections of all outputs of a node.
  ///
  /// - Parameter node: The node.
  public func disconnectNodeOutput(_ node: AVAudioNode) {
    change { $0.removeLinks { $0.source === node } }
  }

  /// Returns the node and output that are connected to an input.
  ///
  /// - Parameters:
  ///   - node: The node with the input.
  ///   - bus: The number of the input.
  /// - Returns: The source node and its output; nil if the input is not connected.
  public func inputConnectionPoint(
    for node: AVAudioNode, inputBus bus: AVAudioNodeBus
  ) -> AVAudioConnectionPoint? {
    lock.withLock {
      model.link(to: node, bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.output) }
    }
  }

  /// Returns the nodes and inputs that are connected to an output.
  ///
  /// - Parameters:
  ///   - node: The node with the output.
  ///   - bus: The number of the output.
  /// - Returns: The destination nodes and their inputs; empty if the output is not connected.
  public func outputConnectionPoints(
    for node: AVAudioNode, outputBus bus: AVAudioNodeBus
  ) -> [AVAudioConnectionPoint] {
    lock.withLock {
      model.links(from: node, bus).map { AVAudioConnectionPoint(node: $0.target, bus: $0.input) }
    }
  }
}
