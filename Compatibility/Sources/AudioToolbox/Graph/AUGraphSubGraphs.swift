public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Synchronization

/// Adds a node in whose place a graph stands, of which others hear the output.
///
/// The graph is opened, made ready and let go with the one that it is in. It needs an output of its
/// own, a generic one, before it is made ready.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNode: takes the node; 0 where there is none.
/// - Returns: 0; −50 for an invalid graph; −108 where a million objects are there.
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
    // Not made ready at once: nobody can have put anything into it yet.
    unsafe outNode.pointee = graph.state.withLock { $0.add(output, inner) }
    if graph.state.withLock(\.isOpen) { try inner.open() }
  }
}

/// The graph that stands in the place of a node.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outSubGraph: takes the graph in it, which is not to be disposed of.
/// - Returns: 0; −50 for an invalid graph, or if the node has a unit;
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

/// Whether a graph stands in the place of a node.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outFlag: takes the answer.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`.
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
