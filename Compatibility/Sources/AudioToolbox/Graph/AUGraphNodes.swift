public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Synchronization

/// Adds a node; its unit is made when the graph is opened, or at once where it is open.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDescription: what the node is to be.
///   - outNode: takes the node; 0 where there is none.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_InvalidAudioUnit` where there is no
///   such component; `kAUGraphErr_OutputNodeErr` for a second output.
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

/// Takes a node out, with all that it hears and that hears it.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_CannotDoInCurrentContext` for the output of a graph that runs.
/// - Note: Any thread but one that renders.
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

/// How many nodes a graph has.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumberOfNodes: takes the number.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetNodeCount(
  _ inGraph: AUGraph?, _ outNumberOfNodes: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outNumberOfNodes.pointee = UInt32(graph.state.withLock { $0.nodes.count })
  }
}

/// A node of a graph.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inIndex: its index, from 0.
///   - outNode: takes the node.
/// - Returns: 0; −50 for an invalid graph or index.
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

/// Tells what a node is, and its unit.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outDescription: takes what it is; nil for nobody.
///   - outAudioUnit: takes its unit, nil before the graph is opened; nil for nobody.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`.
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

/// Lets a node's input hear another node's output.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inSourceNode: the node that is heard.
///   - inSourceOutputNumber: its output, 0.
///   - inDestNode: the node that hears.
///   - inDestInputNumber: its input, from 0.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_InvalidConnection` for an end that is taken or not there, and for a circle.
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

/// Lets a node's input hear a function, whatever it heard.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDestNode: the node that hears.
///   - inDestInputNumber: its input, from 0.
///   - inInputCallback: the function; it is called on the thread that renders.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_InvalidConnection` for an input that is not there.
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

/// Lets a node's input hear nothing.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inDestNode: the node.
///   - inDestInputNumber: its input, from 0.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`;
///   `kAUGraphErr_InvalidConnection` where it hears nothing.
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

/// Lets every input of a graph hear nothing.
///
/// - Parameter inGraph: the graph.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphClearConnections(_ inGraph: AUGraph?) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.edit { state throws(StatusError) in (state.sources, state.order) = ([:], []) }
  }
}

extension GraphObject.Node {
  /// Whether it has an input of the number; a graph has none.
  fileprivate func takesInput(_ bus: UInt32) -> Bool {
    guard graph == nil else { return false }
    return switch kind {
    case .instrument: false
    case .mixer: bus < 256
    case .output, .through: bus == 0
    }
  }
}
