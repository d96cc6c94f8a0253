// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import CLilv
internal import MIDIMessages
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An LV2 plug-in as a unit of a graph: an effect or an instrument.
///
/// `LV2Configuration.buses` determines the buses. Messages take effect at their frame. The
/// plug-in's controls are the unit's parameters, named by their symbols; their values change
/// between calls of the plug-in, not within a call. NaN and infinite output samples become silence
/// and are counted (`RenderPlan.reports`). A plug-in is code of another maker that runs on the
/// render thread: if it allocates memory or waits, all sound is delayed. In offline rendering with
/// `LV2Configuration.Working.inLine`, the output is the same every time if the plug-in itself is
/// deterministic.
///
/// - Note: Use the unit on one thread at a time, but call `send`, `cancel` and `tell` on the event
///   thread only. The render thread makes the sound.
@safe
public final class LV2Unit: ParametricUnit, PlayableUnit {
  /// The unit's name, for messages and graphs.
  public let name: String
  /// The plug-in.
  public let plugin: LV2Plugin
  /// The settings with which the plug-in was loaded.
  public let configuration: LV2Configuration
  /// The channel count of the input bus; empty if the plug-in does not have an audio input.
  public let inputChannelCounts: [Int]
  /// The channel count of the output bus.
  public let outputChannelCounts: [Int]
  /// The controls of the plug-in as parameters, in the order of `LV2Plugin.controls`.
  public let parameters: ParameterSet
  /// The number of SysEx messages that were accepted but dropped because they have more than 4094
  /// bytes, not counting F0 and F7.
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
  /// Values of the controls at the last measurement of the latency.
  private let probed: Mutex<[Float]>

  /// Loads a plug-in.
  ///
  /// - Parameters:
  ///   - plugin: the plug-in, which is one of `world`.
  ///   - world: the world that found the plug-in.
  ///   - configuration: the rate, buses and other settings.
  ///   - name: the unit's name; nil for the plug-in's name.
  /// - Throws: `LV2Error.refused`, `LV2Error.cannotLoad`, `LV2Error.cannotStart`;
  ///   `LV2Error.noSuchPlugin` if the plug-in is not in the world.
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

  /// The sample rate.
  public var rate: SampleRate? { configuration.rate }

  /// True for an instrument, whose inputs do not have to be connected.
  public var acceptsOpenInputs: Bool { plugin.isInstrument }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The delay of the output in frames that the plug-in reported last.
  ///
  /// Before the first rendering, the delay is determined with a second instance of the plug-in that
  /// has the same control values.
  public var latency: Int {
    if latencyVaries, !kernel.pointee.report.hasRun.load(ordering: .relaxed) { findLatency() }
    return kernel.pointee.report.latency.load(ordering: .relaxed)
  }

  /// True if the plug-in reports its latency.
  public var latencyVaries: Bool { plugin.ports.contains(where: \.reportsLatency) }

  /// Measures the latency with a second instance if the controls have changed since the last time.
  private func findLatency() {
    let controls = plugin.controls.indices.map { parameters[$0] }
    probed.withLock { probed in
      guard controls != probed else { return }
      probed = controls
      do {
        let latency = try Self.probeLatency(plugin, world, configuration, controls)
        kernel.pointee.report.latency.store(latency, ordering: .relaxed)
      } catch {
        // The plug-in reports its latency when it renders.
      }
    }
  }

  /// The number of frames in `LV2Configuration.tailSeconds`.
  public var tail: Int {
    Int((configuration.tailSeconds * Double(configuration.rate.hertz)).rounded())
  }

  /// True if the last quantum was silent: below −100 dBFS.
  public var isSilent: Bool { kernel.pointee.report.isQuiet.load(ordering: .relaxed) }

  /// The number of events that arrived too late and were played later than requested.
  ///
  /// - Note: Any thread.
  public var lateEventCount: Int { kernel.pointee.report.lateEvents.load(ordering: .relaxed) }

  /// The number of blocks of 64 frames whose rendering took more time than their duration.
  ///
  /// Each of them may have interrupted the sound. Blocks are counted only with
  /// `LV2Configuration.Working.onThread` (live sound); otherwise the count is 0. The time is
  /// wall-clock time, so another program may be the cause if the render thread does not have
  /// real-time priority.
  ///
  /// - Note: Any thread.
  public var slowBlockCount: Int { kernel.pointee.report.slowBlocks.load(ordering: .acquiring) }

  /// The longest rendering time of the blocks that `slowBlockCount` counts; zero if it counts none.
  ///
  /// - Note: Any thread.
  public var longestBlock: Duration {
    .nanoseconds(kernel.pointee.report.longestBlock.load(ordering: .relaxed))
  }

  /// The last log message of the plug-in; empty if it has not logged anything.
  public var lastWords: String {
    memory.instances.map(\.features.lastWords).first { !$0.isEmpty } ?? ""
  }

  /// The number of requests and responses of the plug-in's worker that were dropped because the
  /// queue was full.
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

  /// Renders silence with a second instance and returns the latency that it reports; 0 if it
  /// reports none.
  private static func probeLatency(
    _ plugin: LV2Plugin, _ world: LV2World, _ configuration: LV2Configuration,
    _ controls: [Float]
  ) throws(LV2Error) -> Int {
    guard plugin.ports.contains(where: \.reportsLatency) else { return 0 }
    let memory = try rehearsed(plugin, world, configuration, controls)
    guard let frames = unsafe memory.plan.latency?.pointee else { return 0 }
    return frames >= 0 && frames < 1e7 ? Int(frames) : 0
  }

  /// Creates an instance and renders silence for eight runs; call it in a process that ends soon.
  ///
  /// - Throws: the errors of `init`.
  static func rehearse(_ plugin: LV2Plugin, in world: LV2World) throws(LV2Error) {
    let memory = try rehearsed(plugin, world, LV2Configuration(rate: .hertz48000))
    // A plug-in with a worker may have started threads, and some (padthv1, drumkv1) crash if freed
    // before these threads run. In normal use plug-ins are not freed so early.
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
