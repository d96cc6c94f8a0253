public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Synchronization

/// Adds a node to a graph.
///
/// The node's unit is created when the graph is opened, or at once if it is open.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDescription: the description of the node's component.
///   - outNode: receives the node, or 0 after an error.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_InvalidAudioUnit` if the
///   component does not exist; `kAUGraphErr_OutputNodeErr` for a second output.
/// - Note: Any thread.
@discardableResult
public func AUGraphAddNode(
  _ inGraph: AUGraph?, _ inDescription: UnsafePointer<AudioComponentDescription>,
  _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  unsafe outNode.pointee = 0
  return unsafe edit(inGraph) { graph throws(StatusError) in
    guard let component = unsafe UnitKind.place(inDescription.pointee, from: 0) else {
      throw StatusError(kAUGraphErr_InvalidAudioUnit)
    }
    var made: AUNode = 0
    try graph.edit { state throws(StatusError) in
      if state.head != nil, UnitKind.all[component].type == kAudioUnitType_Output {
        throw StatusError(kAUGraphErr_OutputNodeErr)
      }
      made = state.add(component, nil)
    }
    unsafe outNode.pointee = made
  }
}

/// Removes a node with its connections and render callbacks.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_CannotDoInCurrentContext` for the output of a running graph.
/// - Note: Any thread except a render thread.
@discardableResult
public func AUGraphRemoveNode(_ inGraph: AUGraph?, _ inNode: AUNode) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    var removed: GraphObject.Node?
    try graph.edit { state throws(StatusError) in
      guard let place = state.place(inNode) else { throw StatusError(kAUGraphErr_NodeNotFound) }
      if state.isRunning, state.head?.number == inNode {
        throw StatusError(kAUGraphErr_CannotDoInCurrentContext)
      }
      removed = state.nodes.remove(at: place)
      for (input, source) in state.sources {
        if case .node(let other, _) = source, other == inNode { state.set(nil, at: input) }
        if input.node == inNode { state.set(nil, at: input) }
      }
    }
    removed?.own?.dismiss()
    removed?.graph?.dismiss()
  }
}

/// Returns the number of nodes in a graph.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumberOfNodes: receives the number.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetNodeCount(
  _ inGraph: AUGraph?, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outNumberOfNodes.pointee = UInt32(graph.state.withLock { $0.nodes.count })
  }
}

/// Returns the node at an index.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inIndex: the index, from 0.
///   - outNode: receives the node.
/// - Returns: 0; `kAudio_ParamError` if the graph or the index is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetIndNode(
  _ inGraph: AUGraph?, _ inIndex: UInt32, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    let nodes = graph.state.withLock(\.nodes)
    guard nodes.indices.contains(Int(inIndex)) else { throw .parameter }
    unsafe outNode.pointee = nodes[Int(inIndex)].number
  }
}

/// Returns the component description and the unit of a node.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outDescription: receives the description; may be nil.
///   - outAudioUnit: receives the unit, which is nil until the graph is opened; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`.
/// - Note: Any thread.
@discardableResult
public func AUGraphNodeInfo(
  _ inGraph: AUGraph?, _ inNode: AUNode,
  _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?,
  _ outAudioUnit: UnsafeMutablePointer<AudioUnit?>?
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    let node = graph.state.withLock { state in state.place(inNode).map { state.nodes[$0] } }
    guard let node else { throw StatusError(kAUGraphErr_NodeNotFound) }
    unsafe outDescription?.pointee = UnitKind.description(at: node.component)
    unsafe outAudioUnit?.pointee = node.unit?.pointer
  }
}

/// Connects the output of a node to an input of another.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inSourceNode: the node whose output is connected.
///   - inSourceOutputNumber: the output, 0.
///   - inDestNode: the node whose input is connected.
///   - inDestInputNumber: the input, from 0.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_InvalidConnection` if the output or input does not exist or is already in use, or
///   if the connection would form a cycle.
/// - Note: Any thread.
@discardableResult
public func AUGraphConnectNodeInput(
  _ inGraph: AUGraph?, _ inSourceNode: AUNode, _ inSourceOutputNumber: UInt32,
  _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.edit { state throws(StatusError) in
      guard state.place(inSourceNode) != nil, let place = state.place(inDestNode) else {
        throw StatusError(kAUGraphErr_NodeNotFound)
      }
      let input = GraphObject.Input(node: inDestNode, bus: inDestInputNumber)
      let isHeard = state.sources.values.contains {
        if case .node(inSourceNode, inSourceOutputNumber) = $0 { true } else { false }
      }
      guard inSourceOutputNumber == 0, !isHeard, state.sources[input] == nil,
        state.nodes[place].takesInput(inDestInputNumber),
        !state.hears(inSourceNode, inDestNode)
      else { throw StatusError(kAUGraphErr_InvalidConnection) }
      state.set(.node(inSourceNode, bus: inSourceOutputNumber), at: input)
    }
  }
}

/// Sets a render callback for an input, in place of an earlier connection or callback.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDestNode: the node.
///   - inDestInputNumber: its input, from 0.
///   - inInputCallback: the callback, which is called on the render thread.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_InvalidConnection` if the input does not exist.
/// - Note: Any thread.
@discardableResult
public func AUGraphSetNodeInputCallback(
  _ inGraph: AUGraph?, _ inDestNode: AUNode, _ inDestInputNumber: UInt32,
  _ inInputCallback: UnsafePointer<AURenderCallbackStruct>
) -> OSStatus {
  let callback = unsafe GraphObject.Source.function(inInputCallback.pointee)
  return unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.edit { state throws(StatusError) in
      guard let place = state.place(inDestNode) else {
        throw StatusError(kAUGraphErr_NodeNotFound)
      }
      guard state.nodes[place].takesInput(inDestInputNumber) else {
        throw StatusError(kAUGraphErr_InvalidConnection)
      }
      state.set(callback, at: .init(node: inDestNode, bus: inDestInputNumber))
    }
  }
}

/// Removes the connection or render callback of an input.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDestNode: the node.
///   - inDestInputNumber: its input, from 0.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_InvalidConnection` if the input is not connected.
/// - Note: Any thread.
@discardableResult
public func AUGraphDisconnectNodeInput(
  _ inGraph: AUGraph?, _ inDestNode: AUNode, _ inDestInputNumber: UInt32
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.edit { state throws(StatusError) in
      guard state.place(inDestNode) != nil else { throw StatusError(kAUGraphErr_NodeNotFound) }
      let input = GraphObject.Input(node: inDestNode, bus: inDestInputNumber)
      guard state.sources[input] != nil else { throw StatusError(kAUGraphErr_InvalidConnection) }
      state.set(nil, at: input)
    }
  }
}

/// Removes all connections and render callbacks of a graph.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphClearConnections(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.edit { state throws(StatusError) in (state.sources, state.order) = ([:], []) }
  }
}

extension GraphObject.Node {
  /// True if the node has an input with this number; a subgraph does not have inputs.
  fileprivate func takesInput(_ bus: UInt32) -> Bool {
    guard graph == nil else { return false }
    return switch kind {
    case .instrument: false
    case .mixer: bus < 256
    case .output, .through: bus == 0
    }
  }
}
