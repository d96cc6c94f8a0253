// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import LV2Units
import MIDIMessages
import MusicalTime
import Testing

/// Input and output of plug-ins, tested with the probes.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2UnitTests {
  private static func unit(
    _ name: String, _ buses: LV2Configuration.Buses = .own,
    _ working: LV2Configuration.Working = .inLine, framesPerRun: Int = 64
  ) throws -> LV2Unit {
    let world = try ProbePlugins.world()
    return try LV2Unit(
      ProbePlugins.plugin(name, in: world), in: world,
      configuration: LV2Configuration(
        rate: Rate.studio, buses: buses, working: working, framesPerRun: framesPerRun))
  }

  /// A listener to a mono effect that receives the left channel of a signal.
  private static func mono(_ unit: LV2Unit, of signal: SignalUnit.Signal) throws -> PlanListener {
    var graph = AudioGraph()
    let left = graph.add(ChannelConverterUnit(from: 2, to: 1, rate: Rate.studio))
    let head = graph.add(unit)
    try graph.connect(graph.add(SignalUnit(signal)), to: left)
    try graph.connect(left, to: head)
    try graph.setHead(head)
    return PlanListener(try graph.compile())
  }

  private static func send(
    _ messages: [(frame: Int64, Message)], to unit: LV2Unit
  ) -> Int {
    let events = messages.map { frame, message in
      TimedEvent(
        time: Rate.studio.timeRoundedUp(of: SampleTime(frames: frame)), payload: .message(message))
    }
    return unit.send(events.span, payloads: [UInt8]().span)
  }

  @Test func `controls are set before the run; a stereo bus has two instances`() throws {
    let unit = try Self.unit("amp", .stereo)
    let listener = try PlanListener(SignalUnit(.count), through: unit)
    #expect(unit.parameters.parameters.map(\.name) == ["level"])
    var heard = listener.render(quanta: 1)
    #expect(heard[0][10] == 0.000_005 && heard[1][10] == -0.000_005)
    try unit.parameters.set(0, to: -2)
    heard = listener.render(quanta: 1)
    #expect(heard[0][36] == -0.0002 && heard[1][36] == 0.0002)
  }

  @Test(arguments: [64, 16, 1])
  func `a moving control is followed from run to run`(framesPerRun: Int) throws {
    let unit = try Self.unit("amp", .stereo, framesPerRun: framesPerRun)
    let listener = try PlanListener(SignalUnit(.constant(1)), through: unit)
    #expect(unit.parameters.schedule(0, to: 1.5, at: SampleTime(frames: 70), over: 40))
    let heard = listener.render(quanta: 2)[0]
    for frame in 0..<128 {
      let last = frame / framesPerRun * framesPerRun + framesPerRun - 1
      let value = 0.5 + Float(min(40, max(0, last - 69))) / 40
      #expect(abs(heard[frame] - value) < 1e-6, "frame \(frame)")
    }
  }

  @Test(arguments: [64, 8]) func `a message takes effect at its frame`(framesPerRun: Int) throws {
    let unit = try Self.unit("echo", framesPerRun: framesPerRun)
    let listener = try Self.mono(unit, of: .constant(0))
    let channel = Channel(index: 0)
    let key = Key(60)
    let frames: [Int64] = [0, 1, 63, 64, 127, 300]
    let sent = frames.enumerated().map { index, frame in
      (frame, Message.noteOn(channel, key, velocity: UInt8(index + 1)))
    }
    #expect(Self.send(sent, to: unit) == frames.count)
    let heard = listener.render(quanta: 6)[0]
    for (index, frame) in frames.enumerated() {
      #expect(heard[Int(frame)] == Float(index + 1) / 128)
    }
    #expect(heard.count { $0 != 0 } == frames.count && unit.lateEventCount == 0)
  }

  @Test func `a cancelled message is not sent, a late one is counted`() throws {
    let unit = try Self.unit("echo")
    let listener = try Self.mono(unit, of: .constant(0))
    let channel = Channel(index: 0)
    let key = Key(60)
    let note = Message.noteOn(channel, key, velocity: 64)
    _ = Self.send([(10, note), (100, note)], to: unit)
    unit.cancel(from: Rate.studio.timeRoundedUp(of: SampleTime(frames: 64)))
    listener.render(quanta: 2)
    #expect(listener.channels[0].count { $0 != 0 } == 1)
    _ = Self.send([(5, note)], to: unit)
    #expect(listener.render(quanta: 1)[0][0] == 0.5)
    #expect(unit.lateEventCount == 1)
    unit.silence()
    #expect(listener.render(quanta: 1)[0][0] < 0)
  }

  @Test func `a plug-in receives the song position`() throws {
    let unit = try Self.unit("song")
    let listener = try Self.mono(unit, of: .constant(0))
    #expect(listener.render(quanta: 1)[0][63] == 0)
    let time = Rate.studio.timeRoundedUp(of: SampleTime(frames: 64))
    #expect(unit.tell(LV2Position(beatsPerMinute: 128), at: time))
    #expect(listener.render(quanta: 1)[0][63] == 0.125)
  }

  @Test func `samples that are not numbers become silence, and the plug-in is named`() throws {
    let listener = try Self.mono(Self.unit("nan"), of: .constant(0.25))
    let heard = listener.render(quanta: 2)[0]
    #expect(heard.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? 0.25 : 0) })
    let report = try #require(listener.plan.reports.first { $0.name == "Probe nan" })
    #expect(report.faultySampleCount == 64)
  }

  @Test func `the reported latency is the unit's, to the sample`() throws {
    let unit = try Self.unit("late", .stereo)
    #expect(unit.latency == 32)
    #expect(try Self.unit("amp").latency == 0)
    let listener = try PlanListener(SignalUnit(.count), through: unit)
    #expect(listener.plan.latency == 32)
    let heard = listener.render(quanta: 4)[0]
    for frame in 32..<256 { #expect(heard[frame] == Float(frame - 32) / 1_000_000) }
  }

  @Test func `offline work is done at once, with the same result every time`() throws {
    var heard: [[Float]] = []
    for _ in 0..<2 {
      let unit = try Self.unit("worker")
      let listener = try Self.mono(unit, of: .constant(0))
      listener.render(quanta: 1)
      try unit.parameters.set(0, to: 1.5)
      listener.render(quanta: 2)
      heard.append(listener.channels[0])
      #expect(unit.refusedWorkCount == 0)
    }
    #expect(heard[0] == heard[1])
    // It answers after the run with the request: half of eight, and 1.5 of eight, a quarter each.
    #expect([0, 64, 128, 191].map { heard[0][$0] } == [0, 1, 3, 3])
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `another thread does live work, and the render thread neither waits nor allocates`()
    throws
  {
    let unit = try Self.unit("worker", .own, .onThread)
    let listener = try Self.mono(unit, of: .constant(0))
    let plan = listener.plan
    plan.render(at: SampleTime(frames: 0))
    try unit.parameters.set(0, to: 1.5)
    var counts = CAllocationCounts()
    // The answer arrives after the other thread has run, so quanta are rendered until then.
    for block in 1..<10_000_000 where plan.output[0, 63] != 3 {
      callocationcounter_begin()
      plan.render(at: SampleTime(frames: Int64(block * 64)))
      let one = callocationcounter_end()
      counts.allocations += one.allocations
      counts.locks += one.locks
    }
    #expect(plan.output[0, 63] == 3)
    #expect(counts.allocations == 0 && counts.locks == 0)
  }

  @Test func `an instrument with an input plays without a connection to it`() throws {
    let unit = try Self.unit("synth", .stereo)
    #expect(unit.plugin.isInstrument && unit.plugin.isEffect && unit.inputChannelCounts == [2])
    let listener = try PlanListener(unit)
    #expect(Self.send([(10, .noteOn(Channel(index: 0), Key(60), velocity: 64))], to: unit) == 1)
    #expect(listener.render(quanta: 1)[0][10] == 0.5)
    // An effect requires a connection.
    let open = try Self.unit("amp")
    #expect(throws: GraphError.self) { try PlanListener(open) }
  }

  @Test func `blocks that take longer than their duration are counted, live only`() throws {
    for working in [LV2Configuration.Working.onThread, .inLine] {
      let unit = try Self.unit("sleeps", .own, working)
      let listener = try Self.mono(unit, of: .constant(0))
      listener.render(quanta: 2)
      try unit.parameters.set(0, to: 2)
      listener.render(quanta: 3)
      try unit.parameters.set(0, to: 0.5)
      listener.render(quanta: 2)
      guard working == .onThread else {
        #expect(unit.slowBlockCount == 0 && unit.longestBlock == .zero)
        continue
      }
      // Delays by other programs are counted, too.
      #expect(unit.slowBlockCount >= 3 && unit.longestBlock >= .milliseconds(2))
    }
  }
}
