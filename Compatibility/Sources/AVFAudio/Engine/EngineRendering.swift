// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import MusicalTime
internal import Synchronization

/// The graph of an engine, and what renders it.
///
/// - Note: Edits hold the lock of the engine; one thread at a time renders.
final class EngineRendering: @unchecked Sendable {
  // Unchecked: the parts are used under the lock of the engine, the renderer under that of the
  // program's calls; the rest is shared by atomics and locks.

  /// The caller of the graph.
  enum Mode {
    /// The program, at any speed.
    case offline
    /// The program, on a thread that must not wait.
    case pulled(maximumFrames: Int)
    /// An output.
    case device
  }

  let rate: SampleRate
  let plan: RenderPlan
  private let usual: AVAudioFormat
  private var graph: EngineGraph
  private let renderer: (any FrameRenderer)?
  private let isOffline: Bool
  private let done = Atomic<Int64>(0)
  /// The start of the quantum that is rendered offline, in nanoseconds.
  private let quantum = Atomic<Int64>(0)
  private let ran = Atomic(false)
  /// The objects that are served; those in front of a time effect count other frames.
  private let served = Mutex<[(object: any EngineServed, isInSection: Bool)]>([])
  private let service = Mutex<EngineService?>(nil)
  private let shortage: InputShortage?
  private let slices: EngineSlices

  init(
    _ model: EngineModel, _ mode: Mode, rate: SampleRate, usual: AVAudioFormat,
    slices: EngineSlices
  ) throws {
    (self.rate, self.usual, self.slices) = (rate, usual, slices)
    shortage = model.nodes.lazy.compactMap { $0 as? AVAudioInputNode }.first?.shortage
    var graph = EngineGraph(rate)
    var audioGraph = AudioGraph()
    try graph.wire(&audioGraph, model, usual)
    if let failure = graph.failure { throw failure }
    plan = try audioGraph.compile()
    self.graph = graph
    renderer =
      switch mode {
      case .offline: OfflineFrames(plan, rate: rate)
      case .pulled(let maximum): PulledFrames(plan, rate: rate, maximumFrames: maximum)
      case .device: nil
      }
    isOffline = renderer is OfflineFrames
    setServed(model)
    serve(EngineMoment(isOffline: isOffline, audibleFrame: nil, clock: nil))
  }

  deinit {
    stopService()
  }

  /// Changes the graph while it is rendered.
  func edit(_ model: EngineModel) throws {
    var graph = graph
    try plan.edit { [usual] (audioGraph: inout AudioGraph) throws(GraphError) in
      try graph.wire(&audioGraph, model, usual)
    }
    self.graph = graph
    setServed(model)
  }

  func setLevels(_ model: EngineModel) { graph.setLevels(model) }

  // MARK: Frames

  /// The first frame that a time effect has not rendered of the nodes in front of it.
  func position(before effect: AVAudioUnitTimeEffect) -> Int64? { graph.position(before: effect) }

  /// The first frame that was not returned, or not rendered by an output.
  var position: Int64 { done.load(ordering: .acquiring) }

  /// The start of the quantum that is rendered offline, or was rendered last; 0 before the first.
  var quantumStart: ReferenceTime {
    ReferenceTime(nanoseconds: quantum.load(ordering: .acquiring))
  }

  func setPosition(_ frame: Int64) { done.store(frame, ordering: .releasing) }

  /// True if the engine was started with the graph.
  var hasRun: Bool { ran.load(ordering: .acquiring) }

  func noteRun() { ran.store(true, ordering: .releasing) }

  /// Renders interleaved frames of two channels.
  ///
  /// - Parameters:
  ///   - count: The number of frames.
  ///   - take: Receives the frames, at most 4096 at a time.
  /// - Returns: False if the input node did not provide enough sound.
  /// - Throws: `GraphError` if a unit has changed its latency.
  func render(_ count: Int, take: (Span<Float>) -> Void) throws -> Bool {
    guard let renderer else { return true }
    _ = shortage?.take()
    try renderer.render(
      count,
      prepare: { window in
        serveOffline()
        quantum.store(window.lowerBound.nanoseconds, ordering: .releasing)
        slices.prepare()
      }, take: take)
    if isOffline { serveOffline() }
    done.add(Int64(count), ordering: .acquiringAndReleasing)
    return !(shortage?.take() ?? false)
  }

  private func serveOffline() {
    serve(EngineMoment(isOffline: true, audibleFrame: nil, clock: nil))
  }

  // MARK: Service

  private func setServed(_ model: EngineModel) {
    let all = model.nodes.flatMap { node -> [(object: any EngineServed, isInSection: Bool)] in
      let isInSection = model.effect(behind: node) != nil
      return ((node.served.map { [$0] } ?? []) + node.taps).map { ($0, isInSection) }
    }
    served.withLock { $0 = all }
  }

  /// Serves the nodes once.
  func serve(_ moment: EngineMoment) {
    let own = EngineMoment(isOffline: false, audibleFrame: nil, clock: nil)
    for (object, isInSection) in served.withLock({ $0 }) {
      object.serve(isInSection ? own : moment)
    }
  }

  /// Serves the nodes on a thread until `stopService`.
  ///
  /// - Parameter look: Returns the state of the output, and true to end.
  /// - Throws: `RealtimeError`.
  func startService(
    _ look: @escaping @Sendable () -> (EngineMoment, Bool) = {
      (EngineMoment(isOffline: false, audibleFrame: nil, clock: nil), false)
    }
  ) throws {
    let new = try EngineService { [weak self] in
      guard let self else { return false }
      let (moment, isOver) = look()
      serve(moment)
      follow()
      return !isOver
    }
    service.withLock { $0 = new }
  }

  /// Follows latencies that vary, and frees units that were removed.
  private func follow() {
    plan.reclaim()
    guard plan.latencyVaries else { return }
    do { try plan.followLatencies() } catch {
      // The graph stays aligned as it was.
    }
  }

  func stopService() { service.withLock { $0.take() }?.stop() }
}
