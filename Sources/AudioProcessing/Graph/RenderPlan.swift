// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A graph compiled, for an output to pull from; it can be rewired while it sounds.
///
/// The render thread runs a program that never changes. An edit compiles a new one and leaves it
/// for the thread to take up at the start of a quantum, by way of a transition of 5 ms in which
/// what was disconnected fades out and what was connected fades in, while the units go on.
/// Programs that are done with are freed on the control side.
///
/// Where ways of different latency meet, the shorter is delayed, so that all arrive at the same frame.
///
/// - Note: One thread renders at a time; any others edit.
@safe
public final class RenderPlan: @unchecked Sendable {
  // Unchecked: the control side owns `programs`, under `editing`; the two sides share atomics; the
  // rest is the render thread's.

  @safe
  private struct Shared: ~Copyable {
    /// What the render thread is to take up, left by the control side.
    let pending = unsafe Atomic<UnsafeMutablePointer<RenderProgram>?>(nil)
    /// What the render thread runs.
    let current: Atomic<UnsafeMutablePointer<RenderProgram>>
    let measuresLoad = Atomic(false)
    /// Written by the render thread only.
    let faults = Atomic<Int>(0)
    /// Written by the control side only.
    let latency = Atomic<Int>(0)
    let latencyVaries = Atomic(false)

    init(_ program: UnsafeMutablePointer<RenderProgram>) {
      unsafe current = Atomic(program)
    }
  }

  @safe
  private struct Turn: BitwiseCopyable {
    var program: UnsafeMutablePointer<RenderProgram>
    var quantaLeft: Int
  }

  private struct Edited: @unchecked Sendable {
    // Unchecked: the graph is only read; what its units say of tails and latencies any thread may ask.
    let aligned: AlignedGraph
  }

  /// The bus into which the head of the graph is rendered, one quantum at a time.
  public let output: Bus
  private let memory: AudioBuffer
  private let shared: UnsafeMutablePointer<Shared>
  private let turn: UnsafeMutablePointer<Turn>
  /// The graph as it was last edited, for any thread to ask about.
  private let edited: Mutex<Edited>
  private let editing = Mutex(())
  /// The programs that may still run, in the order in which they do.
  private var programs: [CompiledGraph]

  init(_ compiled: CompiledGraph) {
    memory = AudioBuffer(channelCount: compiled.channelCount)
    output = memory.bus
    programs = [compiled]
    edited = Mutex(Edited(aligned: compiled.aligned))
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(to: Shared(compiled.program))
    unsafe turn = .allocate(capacity: 1)
    unsafe turn.initialize(to: Turn(program: compiled.program, quantaLeft: .max))
    tellLatency(of: compiled.aligned)
  }

  deinit {
    unsafe shared.deinitialize(count: 1).deallocate()
    unsafe turn.deallocate()
  }

  /// Renders one quantum into `output`, denormal numbers counting as zero.
  ///
  /// - Parameter start: the position of its first frame; the next call's is
  ///   `AudioFormat.quantum` later.
  /// - Note: Real-time safe.
  /// - Complexity: O(n) in the number of units.
  @_noAllocation @_noLocks
  public func render(at start: SampleTime) {
    let control = DenormalFlush.begin()
    takeTurn()
    let program = unsafe turn.pointee.program
    let faults = unsafe program.pointee.render(
      at: start, measuringLoad: shared.pointee.measuresLoad.load(ordering: .relaxed))
    if faults > 0 { unsafe shared.pointee.faults.add(faults, ordering: .relaxed) }
    unsafe output.copy(program.pointee.head)
    DenormalFlush.end(control)
  }

  /// Goes on to the next program where one is due.
  @_noAllocation @_noLocks
  private func takeTurn() {
    let turn = unsafe turn
    if unsafe turn.pointee.quantaLeft == 0, let next = unsafe turn.pointee.program.pointee.next {
      unsafe run(next)
    } else if unsafe turn.pointee.quantaLeft == .max,
      unsafe shared.pointee.pending.load(ordering: .relaxed) != nil,
      let next = unsafe shared.pointee.pending.exchange(nil, ordering: .acquiring)
    {
      unsafe run(next)
    }
    if unsafe turn.pointee.quantaLeft != .max { unsafe turn.pointee.quantaLeft &-= 1 }
  }

  @_noAllocation @_noLocks
  private func run(_ program: UnsafeMutablePointer<RenderProgram>) {
    unsafe turn.pointee.program = program
    unsafe turn.pointee.quantaLeft = program.pointee.quantumCount
    unsafe shared.pointee.current.store(program, ordering: .releasing)
  }
}

// The control side.
extension RenderPlan {
  /// The graph as it was last edited.
  ///
  /// - Note: Any thread.
  public var graph: AudioGraph { aligned.graph }

  /// The frames by which the output is behind the units that make the sound, on the longest way.
  ///
  /// - Note: Any thread; real-time safe.
  public var latency: Int {
    @_noAllocation @_noLocks
    get { unsafe shared.pointee.latency.load(ordering: .relaxed) }
  }

  /// Whether a unit of the graph may change its latency while it renders.
  ///
  /// - Note: Any thread.
  public var latencyVaries: Bool {
    unsafe shared.pointee.latencyVaries.load(ordering: .relaxed)
  }

  /// The frames for which the output may sound on once all sources are silent, as the parameters are
  /// now.
  ///
  /// - Note: Any thread.
  /// - Complexity: O(n) in the number of buses.
  public var tail: Int { graph.tail }

  private var aligned: AlignedGraph { edited.withLock { $0 }.aligned }

  private var last: CompiledGraph { programs[programs.count - 1] }

  /// Changes the graph while it sounds; where one of the changes is not possible, none is made.
  ///
  /// The change is heard from the next quantum on, or once an earlier change has faded. A unit that
  /// was removed is freed on a later edit, or by `reclaim`.
  ///
  /// - Parameter change: edits a copy of the graph.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure throws; `GraphError` where the graph cannot be compiled, or its
  ///   head has other channels.
  /// - Complexity: O(n) in the number of buses.
  public func edit<Result>(
    _ change: (inout AudioGraph) throws(GraphError) -> Result
  ) throws(GraphError) -> Result {
    // Not by `withLock`: what is returned may be anything.
    editing._unsafeLock()
    defer { editing._unsafeUnlock() }
    var graph = graph
    let result = try change(&graph)
    try takeOver(graph)
    return result
  }

  /// Asks the units that may change their latency for it, and delays anew what has to meet, as `edit`
  /// would; to be called every now and then where `latencyVaries`.
  ///
  /// - Returns: whether anything has changed.
  /// - Throws: `GraphError` where a unit has changed so that the graph cannot be compiled.
  /// - Complexity: O(n) in the number of those units, O(m) in that of buses where one has changed.
  @discardableResult
  public func followLatencies() throws(GraphError) -> Bool {
    editing._unsafeLock()
    defer { editing._unsafeUnlock() }
    var hasChanged = false
    for (unit, latency) in aligned.promises {
      if let subgraph = unit as? SubgraphUnit { try subgraph.plan.followLatencies() }
      if max(0, unit.latency) != latency { hasChanged = true }
    }
    if hasChanged { try takeOver(graph) }
    return hasChanged
  }

  /// Compiles a graph and leaves it for the render thread.
  private func takeOver(_ graph: AudioGraph) throws(GraphError) {
    forgetOldPrograms()
    let next = try CompiledGraph(
      AlignedGraph(graph, after: last.aligned), gauges: last.gauges)
    guard next.channelCount == output.channelCount else {
      throw .headMismatch(
        unit: graph.head.map(graph.name) ?? "graph",
        channelCount: next.channelCount, expected: output.channelCount)
    }
    try leave(next)
    edited.withLock { $0 = Edited(aligned: next.aligned) }
    tellLatency(of: next.aligned)
  }

  private func tellLatency(of aligned: AlignedGraph) {
    unsafe shared.pointee.latency.store(aligned.latency, ordering: .relaxed)
    unsafe shared.pointee.latencyVaries.store(!aligned.promises.isEmpty, ordering: .relaxed)
  }

  /// Frees the programs that have run for the last time, and the units that only they had.
  ///
  /// - Complexity: O(n) in the number of units freed.
  public func reclaim() {
    editing._unsafeLock()
    defer { editing._unsafeUnlock() }
    forgetOldPrograms()
  }

  private func forgetOldPrograms() {
    let current = unsafe shared.pointee.current.load(ordering: .acquiring)
    while unsafe programs[0].program != current { programs.removeFirst() }
  }

  /// Leaves a graph, and the way to it, for the render thread.
  private func leave(_ next: CompiledGraph) throws(GraphError) {
    // What nobody has begun to render need never sound.
    if let unseen = unsafe shared.pointee.pending.exchange(nil, ordering: .acquiring),
      let index = programs.firstIndex(where: { unsafe $0.program == unseen })
    {
      programs.removeSubrange(index...)
    }
    let stages = try Transition(from: last, to: next).stages
    for (stage, follower) in zip(stages, stages.dropFirst()) {
      unsafe stage.program.pointee.next = follower.program
    }
    programs += stages
    unsafe shared.pointee.pending.store(stages[0].program, ordering: .releasing)
  }
}

// What the units have done.
extension RenderPlan {
  /// Whether the time of each unit is measured, by two readings of the clock a unit and quantum.
  public var measuresLoad: Bool {
    get { unsafe shared.pointee.measuresLoad.load(ordering: .relaxed) }
    set { unsafe shared.pointee.measuresLoad.store(newValue, ordering: .relaxed) }
  }

  /// Samples that were no numbers and became silence, of all units.
  ///
  /// - Note: Any thread.
  public var faultySampleCount: Int { unsafe shared.pointee.faults.load(ordering: .relaxed) }

  /// What each unit has done, in the order in which they were added.
  ///
  /// - Complexity: O(n) in the number of units.
  public var reports: [UnitReport] {
    editing._unsafeLock()
    defer { editing._unsafeUnlock() }
    let (graph, gauges) = (last.aligned.graph, last.gauges)
    return graph.nodes.compactMap { node in
      gauges[node].map { UnitReport(graph.name(of: node), $0) }
    }
  }
}
