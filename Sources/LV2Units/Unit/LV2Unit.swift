// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import CLilv
public import MIDIMessages
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
  /// What the unit is called.
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
  /// SysEx messages, which are taken and left out.
  public private(set) var droppedSysExCount = 0

  let world: LV2World
  let memory: LV2Memory
  let kernel: KernelBox<LV2Kernel>
  private let events = FrameQueue<Message>(minimumCapacity: 4096)
  private let positions = FrameQueue<LV2Position>(minimumCapacity: 256)
  private var writer: FrameQueueWriter<Message>
  private var positionWriter: FrameQueueWriter<LV2Position>

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
    let latency = try Self.probeLatency(plugin, world, configuration)
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
    kernel = unsafe KernelBox(
      LV2Kernel(memory.plan, parameters.bank, events.makeReader(), positions.makeReader()),
      LV2Kernel.function)
    kernel.pointee.report.latency.store(latency, ordering: .relaxed)
    try restoreDefaultState()
    for instance in memory.instances { instance.activate() }
  }

  /// Frames a second.
  public var rate: SampleRate? { configuration.rate }

  /// The kernel.
  public var step: RenderStep { kernel.step }

  /// The frames by which its output is behind its input, as the plug-in last said; a graph takes it
  /// over when it is compiled.
  public var latency: Int { kernel.pointee.report.latency.load(ordering: .relaxed) }

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
    _ plugin: LV2Plugin, _ world: LV2World, _ configuration: LV2Configuration
  ) throws(LV2Error) -> Int {
    guard plugin.ports.contains(where: \.reportsLatency) else { return 0 }
    let memory = try rehearsed(plugin, world, configuration)
    guard let frames = unsafe memory.plan.latency?.pointee else { return 0 }
    return frames >= 0 && frames < 1e7 ? Int(frames) : 0
  }

  /// Makes an instance, and has it render silence for eight runs.
  ///
  /// - Throws: as `init`.
  static func rehearse(_ plugin: LV2Plugin, in world: LV2World) throws(LV2Error) {
    _ = try rehearsed(plugin, world, LV2Configuration(rate: .hertz48000))
  }

  private static func rehearsed(
    _ plugin: LV2Plugin, _ world: LV2World, _ configuration: LV2Configuration
  ) throws(LV2Error) -> LV2Memory {
    var inLine = configuration
    inLine.working = .inLine
    let memory = try connected(plugin, world, LV2Wiring(plugin, .own), inLine)
    memory.instances[0].activate()
    for _ in 0..<8 {
      for index in 0..<memory.plan.inputCount { unsafe memory.plan.inputs[index].begin() }
      for index in 0..<memory.plan.outputCount { unsafe memory.plan.outputs[index].offer() }
      unsafe clilv_run(memory.instances[0].instance, UInt32(configuration.framesPerRun))
      unsafe memory.plan.workers[0].pointee.finishRun()
    }
    return memory
  }
}

extension LV2Unit {
  /// Takes events in order, from the first, and says how many it had room for.
  ///
  /// Messages go to the plug-in at their frame, changes of parameters to `parameters`; SysEx is counted
  /// and left out.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      let event = events[index]
      switch event.payload {
      case .message(let message):
        let frame = configuration.rate.frame(at: event.time).frames
        guard writer.push(message, frame: frame) else { return index }
      case .parameter:
        let one = events.extracting(index..<index + 1)
        guard parameters.send(one, payloads: payloads) == 1 else { return index }
      case .sysEx: droppedSysExCount += 1
      default: break
      }
    }
    return events.count
  }

  /// Forgets what is due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    writer.cancel(from: configuration.rate.frame(at: time).frames)
    positionWriter.cancel(from: configuration.rate.frame(at: time).frames)
    parameters.cancel(from: time)
  }

  /// Tells the plug-in where the song is at an instant; one that does not ask for it hears nothing of it.
  ///
  /// - Returns: false where there is no room.
  public func tell(_ position: LV2Position, at time: ReferenceTime) -> Bool {
    positionWriter.push(position, frame: configuration.rate.frame(at: time).frames)
  }

  /// Forgets what waits, and tells every channel of an instrument to fall silent, at the next quantum.
  ///
  /// - Note: Any thread.
  public func silence() {
    kernel.pointee.report.wantsSilence.store(true, ordering: .releasing)
  }
}
