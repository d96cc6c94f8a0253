// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// A graph of units: its nodes, connections and render callbacks.
///
/// While the graph is running, edits wait for `update`.
final class GraphObject: Sendable {
  let state = Mutex(State())
  /// True if the graph is a subgraph.
  let isInner: Bool
  private let handle = Mutex<Handle?>(nil)

  struct Node: Sendable {
    let number: AUNode
    /// The index of the node's component.
    let component: Int
    /// The subgraph of the node, or nil; `component` is then the generic output.
    var graph: GraphObject?
    /// The unit of the node; nil for a subgraph and before the graph is opened.
    var own: UnitObject?

    var kind: UnitKind { UnitKind.all[component].kind }

    /// The unit whose output is the output of the node.
    var unit: UnitObject? { graph == nil ? own : graph?.state.withLock(\.head)?.own }

    var isHead: Bool { graph == nil && UnitKind.all[component].type == kAudioUnitType_Output }
  }

  /// An input of a node.
  struct Input: Hashable, Sendable {
    let node: AUNode
    let bus: UInt32
  }

  /// The source of an input: the output of a node, or a render callback.
  @safe
  enum Source: @unchecked Sendable {
    // Unchecked: the caller that passed the pointer is responsible for the threads that use it.
    case node(AUNode, bus: UInt32)
    case function(AURenderCallbackStruct)
  }

  struct State: Sendable {
    var nodes: [Node] = []
    var next: AUNode = 1
    /// The connected inputs, in the order in which they were connected.
    var order: [Input] = []
    var sources: [Input: Source] = [:]
    var notifies: [RenderNotify] = []
    var listeners: [any SliceListener] = []
    var isOpen = false
    var isInitialized = false
    var isRunning = false

    /// Adds a node; returns its number.
    mutating func add(_ component: Int, _ graph: GraphObject?) -> AUNode {
      defer { next += 1 }
      nodes.append(Node(number: next, component: component, graph: graph))
      return next
    }

    func place(_ node: AUNode) -> Int? { nodes.firstIndex { $0.number == node } }

    /// The output node.
    var head: Node? { nodes.first(where: \.isHead) }

    mutating func set(_ source: Source?, at input: Input) {
      order.removeAll { $0 == input }
      sources[input] = source
      if source != nil { order.append(input) }
    }

    /// True if the sound of `other` reaches `listener`, directly or through other nodes.
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

  /// Stops, uninitializes and frees the units and the subgraphs.
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

  /// The units of the graph's nodes, without those of subgraphs.
  var units: [UnitObject] { state.withLock { $0.nodes.compactMap(\.own) } }

  /// The subgraphs.
  var graphs: [GraphObject] { state.withLock { $0.nodes.compactMap(\.graph) } }

  /// Creates the units of the nodes.
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

  /// Frees the units.
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

  /// Initializes the units.
  ///
  /// - Parameter sounds: the sounds that a player will need from instruments; nil if they are not
  ///   known.
  /// - Throws: the error of a unit; `OutputNodeErr` if the graph does not have exactly one output.
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

  /// Applies the edits; units that were added while the graph was running are initialized.
  ///
  /// - Throws: the error of a unit.
  func update() throws(StatusError) {
    let (isOpen, isReady) = state.withLock { ($0.isOpen, $0.isInitialized) }
    guard isOpen else { return }
    try open()
    guard isReady else { return }
    for graph in graphs where !graph.state.withLock(\.isInitialized) { try graph.initialize() }
    try initializeUnits()
  }

  /// Edits the state, and applies the edit at once unless the graph is running.
  func edit(_ body: (inout State) throws(StatusError) -> Void) throws(StatusError) {
    try state.withLock { state throws(StatusError) in try body(&state) }
    let (isOpen, isRunning) = state.withLock { ($0.isOpen, $0.isRunning) }
    if isOpen, !isRunning { try update() }
  }

  /// Connects the inputs of the units as the nodes' inputs are connected.
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
        // Inputs that the program has set on the unit stay if the graph does not connect them.
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

  /// Changes the listeners that the output calls before each slice.
  func setListeners(_ body: (inout [any SliceListener]) -> Void) {
    let (listeners, head) = state.withLock { state in
      body(&state.listeners)
      return (state.listeners, state.head?.unit)
    }
    head?.state.withLock { $0.listeners = listeners }
  }

  /// Changes the render notifications that the output calls.
  func setNotifies(_ body: (inout [RenderNotify]) -> Void) {
    let (notifies, head) = state.withLock { state in
      body(&state.notifies)
      return (state.notifies, state.head?.unit)
    }
    head?.state.withLock { $0.graphNotifies = notifies }
  }
}
