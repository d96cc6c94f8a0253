// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A compiled graph, from which an output reads sound.
///
/// The graph can be edited while it plays. The render thread runs a program that does not change.
/// An edit compiles a new program, which the render thread adopts at the start of a quantum, with a
/// transition of 5 ms. During the transition, removed connections fade out and new ones fade in,
/// while the units continue. Programs that are no longer used are freed by `edit` and `reclaim`.
///
/// If paths of different latency meet, the paths with less latency are delayed, so that all arrive
/// at the same frame.
///
/// - Note: One thread at a time renders; any other thread may edit.
@safe
public final class RenderPlan: @unchecked Sendable {
  // Unchecked: the control side owns `programs`, protected by `editing`. Both sides share atomics.
  // The rest belongs to the render thread.

  @safe
  private struct Shared: ~Copyable {
    /// The next program, which the control side leaves for the render thread.
    let pending = unsafe Atomic<UnsafeMutablePointer<RenderProgram>?>(nil)
    /// The program that the render thread runs.
    let current: Atomic<UnsafeMutablePointer<RenderProgram>>
    let measuresLoad = Atomic(false)
    /// The render thread is the only writer.
    let faults = Atomic<Int>(0)
    /// The control side is the only writer.
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
    // Unchecked: the graph is only read. Its units' tails and latencies may be read on any thread.
    let aligned: AlignedGraph
  }

  /// The bus that contains the sound of the graph's head after each call of `render`, one quantum
  /// long.
  public let output: Bus
  private let memory: AudioBuffer
  private let shared: UnsafeMutablePointer<Shared>
  private let turn: UnsafeMutablePointer<Turn>
  /// The last edited graph, which any thread may read.
  private let edited: Mutex<Edited>
  private let editing = Mutex(())
  /// The programs that may still run, in their order.
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

  /// Renders one quantum into `output`.
  ///
  /// Denormal numbers are flushed to zero.
  ///
  /// - Parameter start: the position of the first frame. The next call's position is
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

  /// Continues with the next program, if one is due.
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

// Control side.
extension RenderPlan {
  /// The graph after the last edit.
  ///
  /// - Note: Any thread.
  public var graph: AudioGraph { aligned.graph }

  /// The delay of the output in frames: the sum of the latencies along the longest path.
  ///
  /// - Note: Any thread; real-time safe.
  public var latency: Int {
    @_noAllocation @_noLocks
    get { unsafe shared.pointee.latency.load(ordering: .relaxed) }
  }

  /// True if the graph has a unit whose latency can change during rendering.
  ///
  /// - Note: Any thread.
  public var latencyVaries: Bool {
    unsafe shared.pointee.latencyVaries.load(ordering: .relaxed)
  }

  /// The number of frames for which the output can continue to sound after all sources are silent,
  /// with the current parameters.
  ///
  /// - Note: Any thread.
  /// - Complexity: O(n) in the number of buses.
  public var tail: Int { graph.tail }

  private var aligned: AlignedGraph { edited.withLock { $0 }.aligned }

  private var last: CompiledGraph { programs[programs.count - 1] }

  /// Edits the graph while it plays.
  ///
  /// If any change fails, the graph stays as it was.
  ///
  /// The changes take effect at the next quantum, or after the transition of an earlier edit. A
  /// removed unit is released by a later edit or by `reclaim`.
  ///
  /// - Parameter change: a closure that changes a copy of the graph.
  /// - Returns: the result of the closure.
  /// - Throws: errors of the closure; `GraphError` if the graph cannot be compiled, or if the
  ///   channel count of the head has changed.
  /// - Complexity: O(n) in the number of buses.
  public func edit<Result>(
    _ change: (inout AudioGraph) throws(GraphError) -> Result
  ) throws(GraphError) -> Result {
    // `withLock` is not possible here, because the result can have any type.
    editing._unsafeLock()
    defer { editing._unsafeUnlock() }
    var graph = graph
    let result = try change(&graph)
    try takeOver(graph)
    return result
  }

  /// Checks for changed latencies, and aligns the paths of the graph again if necessary.
  ///
  /// If `latencyVaries` is true, call this method from time to time.
  ///
  /// - Returns: true if a latency has changed.
  /// - Throws: `GraphError` if the graph cannot be compiled anymore, because a unit has changed.
  /// - Complexity: O(n) in the number of units whose latency can change, and O(m) in the number of
  ///   buses if a latency has changed.
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

  /// Compiles a graph and passes it to the render thread.
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

  /// Frees programs that are no longer used, and units that only these programs contain.
  ///
  /// - Complexity: O(n) in the number of freed units.
  public func reclaim() {
    editing._unsafeLock()
    defer { editing._unsafeUnlock() }
    forgetOldPrograms()
  }

  private func forgetOldPrograms() {
    let current = unsafe shared.pointee.current.load(ordering: .acquiring)
    while unsafe programs[0].program != current { programs.removeFirst() }
  }

  /// Passes a graph and the transition to it to the render thread.
  private func leave(_ next: CompiledGraph) throws(GraphError) {
    // A program that the render thread has not adopted does not need to run.
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

// Measurements.
extension RenderPlan {
  /// True to measure the processing time of each unit, for which the clock is read twice per unit
  /// and quantum.
  ///
  /// Default false.
  public var measuresLoad: Bool {
    get { unsafe shared.pointee.measuresLoad.load(ordering: .relaxed) }
    set { unsafe shared.pointee.measuresLoad.store(newValue, ordering: .relaxed) }
  }

  /// The number of NaN, infinite or excessively large samples that were replaced by silence, in all
  /// units.
  ///
  /// - Note: Any thread.
  public var faultySampleCount: Int { unsafe shared.pointee.faults.load(ordering: .relaxed) }

  /// The faults and processing time of each unit, in the order in which the units were added.
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
