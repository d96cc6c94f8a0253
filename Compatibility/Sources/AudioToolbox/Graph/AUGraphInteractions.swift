public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Synchronization

/// Returns the number of connections and render callbacks of a graph.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumInteractions: receives the number.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetNumberOfInteractions(
  _ inGraph: AUGraph?, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outNumInteractions.pointee = UInt32(graph.interactions(of: nil).count)
  }
}

/// Returns a connection or render callback of a graph.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inInteractionIndex: the index, from 0, in the order in which they were made.
///   - outInteraction: receives the connection or callback.
/// - Returns: 0; `kAudio_ParamError` if the graph or the index is invalid.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetInteractionInfo(
  _ inGraph: AUGraph?, _ inInteractionIndex: UInt32,
  _ outInteraction: UnsafeMutablePointer<AUNodeInteraction>
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    let all = unsafe graph.interactions(of: nil)
    guard unsafe all.indices.contains(Int(inInteractionIndex)) else { throw .parameter }
    unsafe outInteraction.pointee = all[Int(inInteractionIndex)]
  }
}

/// Returns the number of connections and render callbacks of a node.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outNumInteractions: receives the number.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`.
/// - Note: Any thread.
@discardableResult
public func AUGraphCountNodeInteractions(
  _ inGraph: AUGraph?, _ inNode: AUNode, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.require(inNode)
    unsafe outNumInteractions.pointee = UInt32(graph.interactions(of: inNode).count)
  }
}

/// Returns the connections and render callbacks of a node.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - ioNumInteractions: the capacity of the array; receives the number of elements written.
///   - outInteractions: receives the connections and callbacks.
/// - Returns: 0; `kAudio_ParamError` if the graph is invalid; `kAUGraphErr_NodeNotFound`.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetNodeInteractions(
  _ inGraph: AUGraph?, _ inNode: AUNode, _ ioNumInteractions: UnsafeMutablePointer<UInt32>,
  _ outInteractions: UnsafeMutablePointer<AUNodeInteraction>
) -> OSStatus {
  unsafe edit(inGraph) { graph throws(StatusError) in
    try graph.require(inNode)
    let all = unsafe graph.interactions(of: inNode).prefix(Int(ioNumInteractions.pointee))
    for unsafe(index, interaction) in unsafe all.enumerated() {
      unsafe outInteractions[index] = interaction
    }
    unsafe ioNumInteractions.pointee = UInt32(all.count)
  }
}

extension GraphObject {
  fileprivate func require(_ node: AUNode) throws(StatusError) {
    guard state.withLock({ $0.place(node) }) != nil else {
      throw StatusError(kAUGraphErr_NodeNotFound)
    }
  }

  /// The connections and render callbacks of one node, or of all nodes if it is nil.
  fileprivate func interactions(of node: AUNode?) -> [AUNodeInteraction] {
    let state = state.withLock { $0 }
    return unsafe state.order.compactMap { input in
      var interaction = unsafe AUNodeInteraction()
      switch state.sources[input] {
      case .node(let other, let bus):
        guard node == nil || node == other || node == input.node else { return nil }
        unsafe interaction.nodeInteractionType = kAUNodeInteraction_Connection
        unsafe interaction.nodeInteraction.connection = AUNodeConnection(
          sourceNode: other, sourceOutputNumber: bus, destNode: input.node,
          destInputNumber: input.bus)
      case .function(let callback):
        guard node == nil || node == input.node else { return nil }
        unsafe interaction.nodeInteractionType = kAUNodeInteraction_InputCallback
        unsafe interaction.nodeInteraction.inputCallback = AUNodeRenderCallback(
          destNode: input.node, destInputNumber: input.bus, cback: callback)
      case nil: return nil
      }
      return unsafe interaction
    }
  }
}
