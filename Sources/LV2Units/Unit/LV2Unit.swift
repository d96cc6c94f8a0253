// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import CLilv
internal import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A plug-in as a unit of a graph: an effect, or an instrument.
///
/// Its buses are as `LV2Configuration.buses` says. Messages reach it at their frame; its controls are the
/// unit's parameters, called by their symbols, set before each run and not between its frames. What
/// comes out of it that is no number becomes silence and is counted (`RenderPlan.reports`).
///
/// A plug-in is foreign code, and runs on the render thread: one that allocates or waits there does so
/// for all. Offline, with work in line, it renders the same bytes every time if it does so itself.
///
/// - Note: Control side; `send`, `cancel` and `tell` are for one thread (the event thread). The sound is
///   made on the render thread.
@safe
public final class LV2Unit: ParametricUnit, PlayableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// What it is made of.
  public let plugin: LV2Plugin
  /// How it was set up.
  public let configuration: LV2Configuration
  /// The channels of the bus that it hears, if any.
  public let inputChannelCounts: [Int]
  /// The channels of its output.
  public let outputChannelCounts: [Int]
  /// What can be set: `LV2Plugin.controls`, in their order.
  public let parameters: ParameterSet
  /// SysEx messages of more than 4094 bytes, which are taken and left out.
  public internal(set) var droppedSysExCount = 0

  let world: LV2World
  let memory: LV2Memory
  let kernel: KernelBox<LV2Kernel>
  private let events = FrameQueue<MessagePiece>(minimumCapacity: 4096)
  private let positions = FrameQueue<LV2Position>(minimumCapacity: 256)
  private let sent = RingBuffer<LV2Kernel.SentPiece>(minimumCapacity: 1024)
  var writer: FrameQueueWriter<MessagePiece>
  var positionWriter: FrameQueueWriter<LV2Position>
  let sentReader: RingReader<LV2Kernel.SentPiece>
  var sentBytes: [UInt8] = []
  var sentLength = 0
  /// With what controls its latency was last found out.
  private let probed: Mutex<[Float]>

  /// Loads a plug-in and makes an instance of it.
  ///
  /// - Parameters:
  ///   - plugin: what it is made of; one of `world`.
  ///   - world: where it was found.
  ///   - configuration: how it is set up.
  ///   - name: what it is called, by tracks too; the plug-in's own name where none is given.
  /// - Throws: `LV2Error.refused`, `LV2Error.cannotLoad`, `LV2Error.cannotStart`,
  ///   `LV2Error.noSuchPlugin` where it is none of the world's.
  public init(
    _ plugin: LV2Plugin, in world: LV2World, configuration: LV2Configuration, name: String? = nil
  ) throws(LV2Error) {
    if let refusal = plugin.refusal { throw .refused(uri: plugin.uri, refusal) }
    let wiring = LV2Wiring(plugin, configuration.buses)
    let memory = try Self.connected(plugin, world, wiring, configuration)
    let controls = plugin.controls.map {
      $0.parameter(hertz: Int(configuration.rate.hertz)).initialValue
    }
    let latency = try Self.probeLatency(plugin, world, configuration, controls)
    probed = Mutex(controls)
    self.name = name ?? plugin.name
    self.plugin = plugin
    self.configuration = configuration
    self.world = world
    self.memory = memory
    inputChannelCounts = wiring.inputChannelCount > 0 ? [wiring.inputChannelCount] : []
    outputChannelCounts = [wiring.outputChannelCount]
    let hertz = Int(configuration.rate.hertz)
    parameters = ParameterSet(
      plugin.controls.map { $0.parameter(hertz: hertz) }, rate: configuration.rate,
      unit: self.name)
    writer = events.makeWriter()
    positionWriter = positions.makeWriter()
    sentReader = sent.reader
    kernel = unsafe KernelBox(
      LV2Kernel(
        plan: memory.plan, bank: parameters.bank, events: events.makeReader(),
        positions: positions.makeReader(), sent: sent.writer),
      LV2Kernel.function)
    kernel.pointee.report.latency.store(latency, ordering: .relaxed)
    try restoreDefaultState()
    for instance in memory.instances { instance.activate() }
  }

  /// Frames a second.
  public var rate: SampleRate? { configuration.rate }

  /// Whether it may hear nothing: an instrument with inputs plays by itself.
  public var acceptsOpenInputs: Bool { plugin.isInstrument }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The frames by which its output is behind its input, as the plug-in last said; before it has rendered,
  /// as another says that is set like it.
  public var latency: Int {
    if latencyVaries, !kernel.pointee.report.hasRun.load(ordering: .relaxed) { findLatency() }
    return kernel.pointee.report.latency.load(ordering: .relaxed)
  }

  /// Whether the plug-in says what its latency is.
  public var latencyVaries: Bool { plugin.ports.contains(where: \.reportsLatency) }

  /// Asks another instance, where the controls have been moved since the last was asked.
  private func findLatency() {
    let controls = plugin.controls.indices.map { parameters[$0] }
    probed.withLock { probed in
      guard controls != probed else { return }
      probed = controls
      do {
        let latency = try Self.probeLatency(plugin, world, configuration, controls)
        kernel.pointee.report.latency.store(latency, ordering: .relaxed)
      } catch {
        // It says so itself once it renders.
      }
    }
  }

  /// The frames of `LV2Configuration.tailSeconds`.
  public var tail: Int {
    Int((configuration.tailSeconds * Double(configuration.rate.hertz)).rounded())
  }

  /// Whether no event waits and the last quantum was silent.
  public var isSilent: Bool { kernel.pointee.report.isQuiet.load(ordering: .relaxed) }

  /// Events that came too late for their run and were played at the next.
  ///
  /// - Note: Any thread.
  public var lateEventCount: Int { kernel.pointee.report.lateEvents.load(ordering: .relaxed) }

  /// Blocks of 64 frames that it took longer to render than they sound.
  ///
  /// Each time the output may have run dry. Only with work on a thread of its own, which is for live
  /// sound; else 0. The time is the wall's, so that where the render thread has no priority another program may be to
  /// blame.
  ///
  /// - Note: Any thread.
  public var slowBlockCount: Int { kernel.pointee.report.slowBlocks.load(ordering: .acquiring) }

  /// How long the longest of those took; zero where there is none.
  ///
  /// - Note: Any thread.
  public var longestBlock: Duration {
    .nanoseconds(kernel.pointee.report.longestBlock.load(ordering: .relaxed))
  }

  /// What the plug-in said last; empty where it said nothing.
  public var lastWords: String {
    memory.instances.map(\.features.lastWords).first { !$0.isEmpty } ?? ""
  }

  /// Work that was asked for beside the render thread and found no room.
  ///
  /// - Note: Any thread.
  public var refusedWorkCount: Int {
    memory.instances.reduce(0) {
      unsafe $0 + $1.features.worker.pointee.refusedCount.load(ordering: .relaxed)
    }
  }

  private static func connected(
    _ plugin: LV2Plugin, _ world: LV2World, _ wiring: LV2Wiring, _ configuration: LV2Configuration
  ) throws(LV2Error) -> LV2Memory {
    var instances: [InstanceHandle] = []
    for _ in 0..<wiring.instanceCount {
      instances.append(try InstanceHandle(plugin, in: world, configuration))
    }
    return LV2Memory(plugin, instances, wiring, configuration)
  }

  /// Has another instance render silence, which says by how much it is late; 0 where it does not say.
  private static func probeLatency(
    _ plugin: LV2Plugin, _ world: LV2World, _ configuration: LV2Configuration,
    _ controls: [Float]
  ) throws(LV2Error) -> Int {
    guard plugin.ports.contains(where: \.reportsLatency) else { return 0 }
    let memory = try rehearsed(plugin, world, configuration, controls)
    guard let frames = unsafe memory.plan.latency?.pointee else { return 0 }
    return frames >= 0 && frames < 1e7 ? Int(frames) : 0
  }

  /// Makes an instance, and has it render silence for eight runs; in a process that ends soon.
  ///
  /// - Throws: as `init`.
  static func rehearse(_ plugin: LV2Plugin, in world: LV2World) throws(LV2Error) {
    let memory = try rehearsed(plugin, world, LV2Configuration(rate: .hertz48000))
    // One that works beside the render thread may have begun on threads of its own, and some fail where
    // they are freed before these are up (padthv1, drumkv1): nobody who uses them does so.
    if plugin.hasWorker { _ = unsafe Unmanaged.passRetained(memory) }
  }

  private static func rehearsed(
    _ plugin: LV2Plugin, _ world: LV2World, _ configuration: LV2Configuration,
    _ controls: [Float] = []
  ) throws(LV2Error) -> LV2Memory {
    var inLine = configuration
    inLine.working = .inLine
    let memory = try connected(plugin, world, LV2Wiring(plugin, .own), inLine)
    for (index, value) in controls.enumerated() { unsafe memory.plan.controls[index] = value }
    memory.instances[0].activate()
    for _ in 0..<8 {
      for index in 0..<memory.plan.inputCount { unsafe memory.plan.inputs[index].begin() }
      for index in 0..<memory.plan.outputCount { unsafe memory.plan.outputs[index].offer() }
      unsafe clilv_run(
        memory.instances[0].instance, memory.plan.uri, UInt32(configuration.framesPerRun))
      unsafe memory.plan.workers[0].pointee.finishRun()
    }
    return memory
  }
}
