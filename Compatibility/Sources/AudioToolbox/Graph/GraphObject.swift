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
  /// Whether it stands in the place of another's node.
  let isInner: Bool
  private let handle = Mutex<Handle?>(nil)

  struct Node: Sendable {
    let number: AUNode
    /// The place of its component.
    let component: Int
    /// The graph that stands in its place; then the component is the output of that.
    var graph: GraphObject?
    /// Its own unit.
    var own: UnitObject?

    var kind: UnitKind { UnitKind.all[component].kind }

    /// What others hear of it.
    var unit: UnitObject? { graph == nil ? own : graph?.state.withLock(\.head)?.own }

    var isHead: Bool { graph == nil && UnitKind.all[component].type == kAudioUnitType_Output }
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
    var listeners: [any SliceListener] = []
    var isOpen = false
    var isInitialized = false
    var isRunning = false

    /// Adds a node, and gives its number.
    mutating func add(_ component: Int, _ graph: GraphObject?) -> AUNode {
      defer { next += 1 }
      nodes.append(Node(number: next, component: component, graph: graph))
      return next
    }

    func place(_ node: AUNode) -> Int? { nodes.firstIndex { $0.number == node } }

    /// The node that is an output.
    var head: Node? { nodes.first(where: \.isHead) }

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

  init(isInner: Bool = false) {
    self.isInner = isInner
  }

  var pointer: AUGraph? { unsafe handle.withLock { unsafe $0?.pointer } }

  func enroll() -> Bool {
    let given = HandleTable.shared.add(self)
    handle.withLock { $0 = given }
    return given != nil
  }

  /// Ends it: units are stopped, made unready and let go, in this order; and the graphs in it.
  func dismiss() {
    stop()
    close()
    for graph in graphs { graph.dismiss() }
    if let given = handle.withLock({ $0 }) { HandleTable.shared.remove(given) }
  }

  @unsafe
  static func find(_ reference: AUGraph?) -> GraphObject? {
    unsafe HandleTable.shared.object(at: reference)
  }

  /// The units of its own nodes.
  var units: [UnitObject] { state.withLock { $0.nodes.compactMap(\.own) } }

  /// The graphs that stand in the place of nodes.
  var graphs: [GraphObject] { state.withLock { $0.nodes.compactMap(\.graph) } }

  /// Makes the nodes' units.
  func open() throws(StatusError) {
    let isFull = state.withLock { state in
      for index in state.nodes.indices {
        let node = state.nodes[index]
        guard node.graph == nil, node.own == nil else { continue }
        let unit = UnitObject(node.component)
        guard unit.enroll() else { return true }
        state.nodes[index].own = unit
      }
      state.isOpen = true
      return false
    }
    if isFull { throw StatusError(kAudio_MemFullError) }
    for graph in graphs { try graph.open() }
    wire()
  }

  /// Lets the units go.
  func close() {
    uninitialize()
    let units = state.withLock { state in
      defer {
        for index in state.nodes.indices { state.nodes[index].own = nil }
        state.isOpen = false
      }
      return state.nodes.compactMap(\.own)
    }
    for unit in units { unit.dismiss() }
    for graph in graphs { graph.close() }
  }

  /// Makes the units ready that the output hears.
  ///
  /// - Parameter sounds: what a player will ask instruments for; nil where nobody knows.
  /// - Throws: what a unit returns; `OutputNodeErr` without an output or with several.
  func initialize(for sounds: PlayedSounds? = nil) throws(StatusError) {
    let (isOpen, heads) = state.withLock { state in
      (state.isOpen, state.nodes.filter(\.isHead).count)
    }
    guard isOpen else { throw StatusError(kAudioUnitErr_Uninitialized) }
    guard heads == 1 else { throw StatusError(kAUGraphErr_OutputNodeErr) }
    for graph in graphs { try graph.initialize(for: sounds) }
    wire()
    try initializeUnits(for: sounds)
    state.withLock { $0.isInitialized = true }
  }

  private func initializeUnits(for sounds: PlayedSounds? = nil) throws(StatusError) {
    for unit in units {
      let status = unit.initialize(for: sounds)
      guard status == noErr else { throw StatusError(status) }
    }
  }

  func uninitialize() {
    stop()
    for unit in units { unit.uninitialize() }
    for graph in graphs { graph.uninitialize() }
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
    for graph in graphs where !graph.state.withLock(\.isInitialized) { try graph.initialize() }
    try initializeUnits()
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
      guard let unit = node.own else { continue }
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
        if node.isHead { (own.graphNotifies, own.listeners) = (state.notifies, state.listeners) }
      }
    }
  }

  /// Has the output tell of slices.
  func setListeners(_ body: (inout [any SliceListener]) -> Void) {
    let (listeners, head) = state.withLock { state in
      body(&state.listeners)
      return (state.listeners, state.head?.unit)
    }
    head?.state.withLock { $0.listeners = listeners }
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
