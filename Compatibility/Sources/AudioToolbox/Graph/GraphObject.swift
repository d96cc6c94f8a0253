// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// A graph of units: its nodes, and what their inputs hear.
///
/// While it runs, edits wait for `update`.
final class GraphObject: Sendable {
  let state = Mutex(State())
  private let handle = Mutex<Handle?>(nil)

  struct Node: Sendable {
    let number: AUNode
    /// The place of its component.
    let component: Int
    var unit: UnitObject?
  }

  /// An input of a node.
  struct Input: Hashable, Sendable {
    let node: AUNode
    let bus: UInt32
  }

  /// What an input hears.
  @safe
  enum Source: @unchecked Sendable {
    // Unchecked: whoever gave the pointer answers for the thread on which it is used.
    case node(AUNode, bus: UInt32)
    case function(AURenderCallbackStruct)
  }

  struct State: Sendable {
    var nodes: [Node] = []
    var next: AUNode = 1
    /// In the order in which they were made.
    var order: [Input] = []
    var sources: [Input: Source] = [:]
    var notifies: [RenderNotify] = []
    var isOpen = false
    var isInitialized = false
    var isRunning = false

    func place(_ node: AUNode) -> Int? { nodes.firstIndex { $0.number == node } }

    /// The node that is an output.
    var head: Node? { nodes.first { UnitKind.all[$0.component].type == kAudioUnitType_Output } }

    mutating func set(_ source: Source?, at input: Input) {
      order.removeAll { $0 == input }
      sources[input] = source
      if source != nil { order.append(input) }
    }

    /// Whether the sound of a node comes by way of another.
    func hears(_ listener: AUNode, _ other: AUNode) -> Bool {
      if listener == other { return true }
      return sources.contains { input, source in
        guard input.node == listener, case .node(let next, _) = source else { return false }
        return hears(next, other)
      }
    }
  }

  var pointer: AUGraph? { unsafe handle.withLock { unsafe $0?.pointer } }

  func enroll() -> Bool {
    let given = HandleTable.shared.add(self)
    handle.withLock { $0 = given }
    return given != nil
  }

  /// Ends it: units are stopped, made unready and let go, in this order.
  func dismiss() {
    stop()
    close()
    if let given = handle.withLock({ $0 }) { HandleTable.shared.remove(given) }
  }

  @unsafe
  static func find(_ reference: AUGraph?) -> GraphObject? {
    unsafe HandleTable.shared.object(at: reference)
  }

  var units: [UnitObject] { state.withLock { $0.nodes.compactMap(\.unit) } }

  /// Makes the nodes' units.
  func open() throws(StatusError) {
    let isFull = state.withLock { state in
      for index in state.nodes.indices where state.nodes[index].unit == nil {
        let unit = UnitObject(state.nodes[index].component)
        guard unit.enroll() else { return true }
        state.nodes[index].unit = unit
      }
      state.isOpen = true
      return false
    }
    if isFull { throw StatusError(kAudio_MemFullError) }
    wire()
  }

  /// Lets the units go.
  func close() {
    uninitialize()
    let units = state.withLock { state in
      defer {
        for index in state.nodes.indices { state.nodes[index].unit = nil }
        state.isOpen = false
      }
      return state.nodes.compactMap(\.unit)
    }
    for unit in units { unit.dismiss() }
  }

  /// Makes the units ready that the output hears.
  ///
  /// - Throws: what a unit returns; `OutputNodeErr` without an output or with several.
  func initialize() throws(StatusError) {
    let (isOpen, heads) = state.withLock { state in
      let heads = state.nodes.filter { UnitKind.all[$0.component].type == kAudioUnitType_Output }
      return (state.isOpen, heads.count)
    }
    guard isOpen else { throw StatusError(kAudioUnitErr_Uninitialized) }
    guard heads == 1 else { throw StatusError(kAUGraphErr_OutputNodeErr) }
    wire()
    for unit in units {
      let status = unit.initialize()
      guard status == noErr else { throw StatusError(status) }
    }
    state.withLock { $0.isInitialized = true }
  }

  func uninitialize() {
    stop()
    for unit in units { unit.uninitialize() }
    state.withLock { $0.isInitialized = false }
  }

  /// Starts the output.
  func start() throws(StatusError) {
    let (isReady, head) = state.withLock { ($0.isInitialized, $0.head?.unit) }
    guard isReady, let head else { throw StatusError(kAudioUnitErr_Uninitialized) }
    let status = head.start()
    guard status == noErr else { throw StatusError(status) }
    state.withLock { $0.isRunning = true }
  }

  func stop() {
    let head = state.withLock { state in
      state.isRunning = false
      return state.head?.unit
    }
    head?.stop()
  }

  /// Carries out what was edited; a unit that came while the graph ran is made ready.
  ///
  /// - Throws: what a unit returns.
  func update() throws(StatusError) {
    let (isOpen, isReady) = state.withLock { ($0.isOpen, $0.isInitialized) }
    guard isOpen else { return }
    try open()
    guard isReady else { return }
    for unit in units {
      let status = unit.initialize()
      guard status == noErr else { throw StatusError(status) }
    }
  }

  /// Edits, and carries it out at once where the graph does not run.
  func edit(_ body: (inout State) throws(StatusError) -> Void) throws(StatusError) {
    try state.withLock { state throws(StatusError) in try body(&state) }
    let (isOpen, isRunning) = state.withLock { ($0.isOpen, $0.isRunning) }
    if isOpen, !isRunning { try update() }
  }

  /// Lets every unit hear what its node does.
  private func wire() {
    let state = state.withLock { $0 }
    for node in state.nodes {
      guard let unit = node.unit else { continue }
      var inputs: [UInt32: UnitInput] = [:]
      for (input, source) in state.sources where input.node == node.number {
        switch source {
        case .function(let callback): inputs[input.bus] = unsafe .function(callback)
        case .node(let other, let bus):
          let unit = state.nodes.first { $0.number == other }?.unit
          if let unit { inputs[input.bus] = .unit(unit, bus: bus) }
        }
      }
      unit.state.withLock { own in
        // What a program has set of the unit itself stays where the graph says nothing.
        for bus in own.graphInputs { own.inputs[bus] = nil }
        own.graphInputs = Set(inputs.keys)
        own.inputs.merge(inputs) { $1 }
        if own.inputCount > 0, let most = inputs.keys.max(), own.workshop == nil,
          unit.kind == .mixer
        {
          own.inputCount = max(own.inputCount, Int(most) + 1)
        }
        let isHead = UnitKind.all[node.component].type == kAudioUnitType_Output
        if isHead { own.graphNotifies = state.notifies }
      }
    }
  }

  /// Has the notifications told by the output.
  func setNotifies(_ body: (inout [RenderNotify]) -> Void) {
    let (notifies, head) = state.withLock { state in
      body(&state.notifies)
      return (state.notifies, state.head?.unit)
    }
    head?.state.withLock { $0.graphNotifies = notifies }
  }
}
