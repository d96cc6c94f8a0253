// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MIDIMessages
internal import MusicalTime
internal import Synchronization

extension GraphObject: GraphDestination {
  /// Whether the graph has a node.
  func contains(_ node: AUNode) -> Bool { state.withLock { $0.place(node) != nil } }

  /// What takes events for an instrument of the graph.
  func openSink(_ node: AUNode?) -> (any EventSink<HostTime>)? {
    let unit = state.withLock { state in
      state.nodes.first { candidate in
        UnitKind.all[candidate.component].kind == .instrument
          && (node == nil || candidate.number == node)
      }?.unit
    }
    guard let player = unit?.state.withLock({ $0.workshop?.player }) else { return nil }
    return GraphSink(self, player)
  }

  /// Makes the graph sound: what a player does that is started.
  func startForPlayer() {
    do {
      try open()
      if !state.withLock(\.isInitialized) { try initialize() }
      if !state.withLock(\.isRunning) { try start() }
    } catch {
      // A graph that cannot sound lets the player run without.
      return
    }
  }
}

extension GraphObject {
  /// A graph of a synthesiser and an output; nil where there is no room for one.
  static func standard() -> GraphObject? {
    let graph = GraphObject()
    let kinds = [kAudioUnitSubType_DLSSynth, kAudioUnitSubType_DefaultOutput]
    let places = kinds.compactMap { kind in UnitKind.all.firstIndex { $0.subtype == kind } }
    graph.state.withLock { state in
      for (index, place) in places.enumerated() {
        state.nodes.append(Node(number: AUNode(index + 1), component: place))
      }
      state.next = AUNode(places.count + 1)
      state.set(.node(1, bus: 0), at: Input(node: 2, bus: 0))
    }
    return graph.enroll() ? graph : nil
  }
}

/// An instrument of a graph as a player needs it, at host times.
final class GraphSink: EventSink, Sendable {
  private let graph: GraphObject
  private let player: InstrumentPlayer

  init(_ graph: GraphObject, _ player: InstrumentPlayer) {
    (self.graph, self.player) = (graph, player)
  }

  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    player.send(events, payloads: payloads, graph.run?.base)
  }

  func cancel(from time: HostTime) {
    player.cancel(from: time, graph.run?.base)
  }
}
