public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Synchronization

/// Adds a node that contains a graph; the output of that graph is the output of the node.
///
/// The subgraph is opened, initialized and disposed of together with the outer graph. Before it is
/// initialized, it needs an output node of the subtype `kAudioUnitSubType_GenericOutput`.
///
/// - Parameters:
///   - inGraph: the outer graph.
///   - outNode: receives the node, or 0 after an error.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAudio_MemFullError` if a million
///   objects exist.
/// - Note: Any thread.
@discardableResult
public func AUGraphNewNodeSubGraph(
  _ inGraph: AUGraph?, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  unsafe outNode.pointee = 0
  return unsafe edit(inGraph) { graph throws(StatusError) in
    let inner = GraphObject(isInner: true)
    guard let output = UnitKind.all.firstIndex(where: { $0.kind == .output(onDevice: false) }),
      inner.enroll()
    else { throw StatusError(kAudio_MemFullError) }
    // It is not initialized yet, because it is still empty.
    unsafe outNode.pointee = graph.state.withLock { $0.add(output, inner) }
    if graph.state.withLock(\.isOpen) { try inner.open() }
  }
}

/// Returns the subgraph of a node.
///
/// - Parameters:
///   - inGraph: the outer graph.
///   - inNode: the node.
///   - outSubGraph: receives the subgraph, which the caller must not dispose of.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid or the node has a unit;
///   `kAUGraphErr_NodeNotFound`.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetNodeInfoSubGraph(
  _ inGraph: AUGraph?, _ inNode: AUNode, _ outSubGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  unsafe outSubGraph.pointee = nil
  return unsafe edit(inGraph) { graph throws(StatusError) in
    unsafe outSubGraph.pointee = try given(graph.node(inNode).graph).pointer
  }
}

/// Checks if a node contains a subgraph.
///
/// - Parameters:
///   - inGraph: the outer graph.
///   - inNode: the node.
///   - outFlag: receives true if the node contains a subgraph.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`.
/// - Note: Any thread.
@discardableResult
public func AUGraphIsNodeSubGraph(
  _ inGraph: AUGraph?, _ inNode: AUNode, _ outFlag: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    unsafe outFlag.pointee = DarwinBoolean(try graph.node(inNode).graph != nil)
  }
}

extension GraphObject {
  fileprivate func node(_ number: AUNode) throws(StatusError) -> Node {
    let node = state.withLock { state in state.place(number).map { state.nodes[$0] } }
    guard let node else { throw StatusError(kAUGraphErr_NodeNotFound) }
    return node
  }
}
