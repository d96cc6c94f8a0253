// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import SequencePlayback
internal import Synchronization

extension GraphObject: GraphDestination {
  /// True if the graph has the node.
  func contains(_ node: AUNode) -> Bool { state.withLock { $0.place(node) != nil } }

  /// Opens a sink that sends events to an instrument of the graph.
  func openSink(_ node: AUNode?) -> (any EventSink<HostTime>)? {
    instrumentUnit(node).map { GraphSink(self, $0) }
  }

  var firstInstrument: AUNode? {
    let nodes = state.withLock(\.nodes)
    return nodes.first { $0.kind == .instrument }?.number
      ?? nodes.first { $0.graph?.firstInstrument != nil }?.number
  }

  func instrument(_ node: AUNode?) -> InstrumentPlayer? { instrumentUnit(node)?.player }

  /// The unit of a node; without a node, the first instrument of the graph or its subgraphs.
  private func instrumentUnit(_ node: AUNode?) -> UnitObject? {
    let nodes = state.withLock(\.nodes)
    guard let node = node ?? firstInstrument,
      let found = nodes.first(where: { $0.number == node })
    else { return nil }
    return found.kind == .instrument ? found.own : found.graph?.instrumentUnit(nil)
  }

  /// Initializes and starts the graph for a player.
  ///
  /// If a soundfont has not been read yet, only the presets that the player needs are read.
  func startForPlayer(_ score: PlayerScore) {
    do {
      try open()
      let sounds = try PlayedSounds(score)
      if state.withLock(\.isInitialized) { read(sounds) } else { try initialize(for: sounds) }
      if !state.withLock(\.isRunning) { try start() }
    } catch {
      // A graph that cannot play does not prevent the player from starting.
      return
    }
    waitForClock()
  }

  /// Reads sounds that an earlier player did not need.
  private func read(_ sounds: PlayedSounds) {
    for unit in units where unit.state.withLock({ $0.lacks(sounds) }) {
      _ = unit.initialize(for: sounds)
    }
    for graph in graphs { graph.read(sounds) }
  }

  /// Waits, at most 0.1 s, for the first period of a device that has just been started; only then
  /// is the time of each frame known.
  private func waitForClock() {
    guard let run else { return }
    for _ in 0..<200 where run.base == nil { usleep(500) }
  }

  /// The time of the first frame of a quantum, so that instruments play as if they were rendered
  /// from frame 0 on.
  ///
  /// The quantum is one that has not been rendered yet, because frames in the device's buffer are
  /// audible later.
  func startTime(atOrAfter time: HostTime) -> HostTime { run?.startTime(atOrAfter: time) ?? time }

  var sliceRate: SampleRate? {
    guard let head = state.withLock(\.head), case .output(onDevice: false) = head.kind else {
      return nil
    }
    do {
      try open()
    } catch {
      return nil
    }
    let rate = state.withLock(\.head)?.unit?.state.withLock(\.rate)
    return rate.flatMap { SampleRate(hertz: Int($0)) }
  }

  func add(_ listener: any SliceListener) {
    setListeners { all in if !all.contains(where: { $0 === listener }) { all.append(listener) } }
  }

  func remove(_ listener: any SliceListener) {
    setListeners { all in all.removeAll { $0 === listener } }
  }
}

extension GraphObject {
  /// A graph of a synthesiser and an output, or nil if a million objects exist.
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

/// An instrument of a graph as the sink of a player, for events at host times.
///
/// It does not take locks that a render thread may hold.
final class GraphSink: EventSink, Sendable {
  private let graph: GraphObject
  private let unit: UnitObject

  init(_ graph: GraphObject, _ unit: UnitObject) {
    (self.graph, self.unit) = (graph, unit)
  }

  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    unit.player?.send(events, payloads: payloads, graph.run?.base) ?? events.count
  }

  func cancel(from time: HostTime) {
    unit.player?.cancel(from: time, graph.run?.base)
  }
}
