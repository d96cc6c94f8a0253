public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Synchronization

/// How many inputs of a graph hear something.
///
/// - Parameters:
///   - inGraph: the graph.
///   - outNumInteractions: takes the number.
/// - Returns: 0; −50 for an invalid graph.
/// - Note: Any thread.
@discardableResult
public func AUGraphGetNumberOfInteractions(
  _ inGraph: AUGraph?, _ outNumInteractions: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  unsafe edit(inGraph) { graph in
    unsafe outNumInteractions.pointee = UInt32(graph.interactions(of: nil).count)
  }
}

/// What an input of a graph hears.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inInteractionIndex: the index, from 0, in the order in which they were made.
///   - outInteraction: takes what it is.
/// - Returns: 0; −50 for an invalid graph or index.
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

/// In how many connections and functions a node takes part.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - outNumInteractions: takes the number.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`.
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

/// In which connections and functions a node takes part.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inNode: the node.
///   - ioNumInteractions: the room there is; takes how many were written.
///   - outInteractions: takes them.
/// - Returns: 0; −50 for an invalid graph; `kAUGraphErr_NodeNotFound`.
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

  /// What inputs hear, of all nodes or with one.
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
