// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Foundation
import LV2Units
import MIDIMessages
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Plug-ins of Debian's packages with latency, or that load files during playback.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2WorkTests {
  static let folder = "/usr/lib/lv2/"
  static func isInstalled(_ bundle: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + bundle)
  }

  private static func world(_ bundle: String) throws -> LV2World {
    try LV2World(bundles: [folder + bundle])
  }

  private static func unit(
    _ uri: String, in world: LV2World, _ working: LV2Configuration.Working = .inLine
  ) throws -> LV2Unit {
    try LV2Unit(
      world.plugin(named: uri), in: world,
      configuration: LV2Configuration(rate: Rate.studio, buses: .stereo, working: working))
  }

  @Test(.enabled(if: isInstalled("dpl.lv2"), "x42-plugins is not installed"))
  func `dpl and an inverted dry path cancel to the sample, from the first frame`() throws {
    let limiter = try Self.unit(
      "http://gareus.org/oss/lv2/dpl#stereo", in: Self.world("dpl.lv2"))
    #expect(limiter.latency > 0)
    let mixer = MixerUnit(stripCount: 2, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    let tone = graph.add(SignalUnit.tone(1000, amplitude: 0.25))
    let (wet, dry) = (graph.add(limiter), graph.add(Inverter.unit()))
    try graph.connect(tone, to: wet)
    try graph.connect(tone, to: dry)
    try graph.connect(wet, to: head)
    try graph.connect(dry, to: head, input: 1)
    try graph.setHead(head)
    let listener = PlanListener(try graph.compile())
    #expect(listener.plan.latency == limiter.latency)
    // A shift by one sample would leave 0.03.
    #expect(listener.render(quanta: 750)[0].allSatisfy { abs($0) < 2e-6 })
  }

  /// Renders until a condition holds, while another thread restores a state; counts allocations and
  /// locks meanwhile.
  private static func render(
    _ listener: PlanListener, while load: @escaping @Sendable () throws -> Void,
    before prepare: (SampleTime) -> Void = { _ in }, until isDone: (RenderPlan) -> Bool
  ) throws -> CAllocationCounts {
    let failure = Mutex<String?>(nil)
    let loading = Thread {
      do { try load() } catch { failure.withLock { $0 = "\(error)" } }
    }
    var counts = CAllocationCounts()
    loading.start()
    for block in 0..<1_000_000 {
      let start = SampleTime(frames: listener.frame + Int64(block * 64))
      prepare(start)
      if callocationcounter_works() { callocationcounter_begin() }
      listener.plan.render(at: start)
      if callocationcounter_works() {
        let one = callocationcounter_end()
        counts.allocations += one.allocations
        counts.locks += one.locks
      }
      if isDone(listener.plan) { break }
      if let text = failure.withLock({ $0 }) { throw ProbePlugins.Failure(text: text) }
    }
    while !loading.isFinished { usleep(1000) }
    return counts
  }

  @Test(.enabled(if: isInstalled("eg-sampler.lv2"), "lv2-examples is not installed"))
  func `a sampler loads another sound during playback, without work on the render thread`()
    throws
  {
    let scratch = try TestSupport.ScratchFolder()
    let sound = try scratch.write(
      "half.wav",
      WaveFloats.file(
        Array(repeating: 0.5, count: 48_000), channelCount: 1))
    let unit = try Self.unit(
      "http://lv2plug.in/plugins/eg-sampler", in: Self.world("eg-sampler.lv2"), .onThread)
    let text = String(decoding: try unit.state(), as: UTF8.self)
    let old = try #require(text.firstMatch(of: #/<[^>]*click\.wav>/#))
    let state = Array(text.replacing(old.0, with: "<file://\(sound)>").utf8)
    let listener = try PlanListener(unit)
    listener.render(quanta: 4)
    var loudest: Float = 0
    nonisolated(unsafe) let loaded = unit
    let counts = try Self.render(listener) {
      try unsafe loaded.restore(state)
    } before: { start in
      let note = Message.noteOn(Channel(index: 0), Key(60), velocity: 100)
      let event = TimedEvent(time: Rate.studio.timeRoundedUp(of: start), payload: .message(note))
      _ = unit.send([event].span, payloads: [UInt8]().span)
    } until: { plan in
      loudest = max(loudest, plan.output[0, 63])
      return plan.output[0, 40] == 0.5 && plan.output[0, 63] == 0.5
    }
    #expect(counts.allocations == 0 && counts.locks == 0)
    #expect(loudest > 0.49 && unit.refusedWorkCount == 0)
  }

  @Test(.enabled(if: isInstalled("zeroconvo.lv2"), "x42-plugins is not installed"))
  func `a convolution loads its response during playback without an allocation`() throws {
    let uri = "http://gareus.org/oss/lv2/zeroconvolv#Stereo"
    let world = try Self.world("zeroconvo.lv2")
    let unit = try Self.unit(uri, in: world, .onThread)
    let listener = try PlanListener(SignalUnit(.constant(0.5)), through: unit)
    listener.render(quanta: 4)
    let preset = try #require(world.presets(of: world.plugin(named: uri)).first)
    nonisolated(unsafe) let loaded = unit
    let counts = try Self.render(listener) {
      try unsafe loaded.load(preset)
    } until: {
      abs($0.output[0, 63] - 0.5) < 1e-3
    }
    #expect(counts.allocations == 0 && counts.locks == 0)
    #expect(abs(listener.plan.output[0, 63] - 0.5) < 1e-3 && unit.refusedWorkCount == 0)
  }

  /// Plays a unit on a paced output, quantum by quantum: for a second before a state is loaded, and
  /// for a second after it is audible.
  private static func pace(
    _ unit: LV2Unit, playing note: Message? = nil, load: () throws -> Void,
    until isLoaded: (Float) -> Bool
  ) throws -> BlockMeter.Sums {
    let meter = BlockMeter()
    let output = NullOutputUnit(
      format: AudioFormat(rate: Rate.studio, channelCount: 2), periodFrames: 64)
    try output.start(try meter.graph(unit).compile())
    func wait(milliseconds: Int) {
      for _ in 0..<milliseconds / 20 {
        if let note {
          let next = SampleTime(frames: output.position.frames + 256)
          let event = TimedEvent(
            time: Rate.studio.timeRoundedUp(of: next), payload: .message(note))
          _ = unit.send([event].span, payloads: [UInt8]().span)
        }
        usleep(20_000)
      }
    }
    wait(milliseconds: 1000)
    try load()
    for _ in 0..<500 where !isLoaded(meter.lastSample) { wait(milliseconds: 20) }
    #expect(isLoaded(meter.lastSample))
    wait(milliseconds: 1000)
    output.stop(draining: false)
    return meter.sums
  }

  private static func expectSteady(_ sums: BlockMeter.Sums, _ unit: LV2Unit) {
    #expect(sums.blockCount > 100 && unit.refusedWorkCount == 0)
    #expect(sums.allocations == 0 && sums.locks == 0)
    #expect(sums.ownLateCount == 0, "\(sums)")
  }

  @Test(.enabled(if: isInstalled("eg-sampler.lv2"), "lv2-examples is not installed"))
  func `the unit delays no block while a sampler loads a sound`() throws {
    let scratch = try TestSupport.ScratchFolder()
    let sound = try scratch.write(
      "half.wav",
      WaveFloats.file(Array(repeating: 0.5, count: 2_400_000), channelCount: 1))
    let unit = try Self.unit(
      "http://lv2plug.in/plugins/eg-sampler", in: Self.world("eg-sampler.lv2"), .onThread)
    let text = String(decoding: try unit.state(), as: UTF8.self)
    let old = try #require(text.firstMatch(of: #/<[^>]*click\.wav>/#))
    let state = Array(text.replacing(old.0, with: "<file://\(sound)>").utf8)
    let note = Message.noteOn(Channel(index: 0), Key(60), velocity: 100)
    let sums = try Self.pace(unit, playing: note) {
      try unit.restore(state)
    } until: {
      $0 == 0.5
    }
    Self.expectSteady(sums, unit)
  }

  @Test(.enabled(if: isInstalled("zeroconvo.lv2"), "x42-plugins is not installed"))
  func `the unit delays no block while a convolution loads a response`() throws {
    let uri = "http://gareus.org/oss/lv2/zeroconvolv#Stereo"
    let world = try Self.world("zeroconvo.lv2")
    let unit = try Self.unit(uri, in: world, .onThread)
    let preset = try #require(world.presets(of: world.plugin(named: uri)).first)
    let sums = try Self.pace(unit) {
      try unit.load(preset)
    } until: {
      abs($0 - 0.5) < 1e-3
    }
    Self.expectSteady(sums, unit)
  }
}
