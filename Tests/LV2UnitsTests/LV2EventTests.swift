// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import LV2Units
import MIDIMessages
import MusicalTime
import Testing

/// SysEx to plug-ins, and messages from plug-ins.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2EventTests {
  /// A plug-in that returns the messages that it receives.
  private final class Rig {
    let unit: LV2Unit
    let plan: RenderPlan
    private var frame: Int64 = 0

    init(framesPerRun: Int = 64) throws {
      let world = try ProbePlugins.world()
      unit = try LV2Unit(
        ProbePlugins.plugin("thru", in: world), in: world,
        configuration: LV2Configuration(rate: Rate.studio, framesPerRun: framesPerRun))
      var graph = AudioGraph()
      let head = graph.add(unit)
      let mono = graph.add(ChannelConverterUnit(from: 2, to: 1, rate: Rate.studio))
      try graph.connect(graph.add(SignalUnit(.constant(0))), to: mono)
      try graph.connect(mono, to: head)
      try graph.setHead(head)
      plan = try graph.compile()
      // The first call starts collecting.
      _ = heard()
    }

    func render(quanta: Int) {
      for _ in 0..<quanta {
        plan.render(at: SampleTime(frames: frame))
        frame += 64
      }
    }

    func heard() -> EventBuffer {
      var buffer = EventBuffer()
      unit.takeEvents(into: &buffer)
      return buffer
    }

    func send(_ buffer: EventBuffer) -> Int {
      unit.send(buffer.events.span, payloads: buffer.payloads.span)
    }
  }

  private static func time(_ frame: Int64) -> ReferenceTime {
    Rate.studio.timeRoundedUp(of: SampleTime(frames: frame))
  }

  private static func sysEx(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 128) } }

  /// The bytes of the SysEx messages in a buffer.
  private static func sysEx(in buffer: EventBuffer) -> [[UInt8]] {
    buffer.events.compactMap { event in
      guard case .sysEx(let place) = event.payload else { return nil }
      return Array(buffer.payloads[Int(place.offset)..<Int(place.offset + place.count)])
    }
  }

  @Test(arguments: [64, 8]) func `messages and SysEx pass through a plug-in at their frames`(
    framesPerRun: Int
  ) throws {
    let rig = try Rig(framesPerRun: framesPerRun)
    var buffer = EventBuffer()
    let note = Message.noteOn(Channel(index: 0), Key(60), velocity: 100)
    buffer.append(TimedEvent(time: Self.time(3), payload: .message(note)))
    for (index, count) in [1, 11, 12, 300].enumerated() {
      let bytes = Self.sysEx(count)
      buffer.append(sysEx: bytes.span, time: Self.time(Int64(70 + index)), track: 0)
    }
    let program = Message.program(Channel(index: 1), 5)
    buffer.append(TimedEvent(time: Self.time(130), payload: .message(program)))
    #expect(rig.send(buffer) == 6)
    rig.render(quanta: 4)
    let heard = rig.heard()
    #expect(heard.events.map(\.time) == [3, 70, 71, 72, 73, 130].map(Self.time))
    #expect(Self.sysEx(in: heard) == [1, 11, 12, 300].map(Self.sysEx))
    guard case .message(let first) = try #require(heard.events.first).payload,
      case .message(let last) = try #require(heard.events.last).payload
    else { throw ProbePlugins.Failure(text: "no messages") }
    #expect(first == note && last == program)
    #expect(rig.heard().isEmpty && rig.unit.lateEventCount == 0)
  }

  @Test func `SysEx waits whole for room, and longer messages are counted and dropped`() throws {
    let rig = try Rig()
    var buffer = EventBuffer()
    for _ in 0..<3 { buffer.append(sysEx: Self.sysEx(4094).span, time: Self.time(0), track: 0) }
    buffer.append(sysEx: Self.sysEx(4095).span, time: Self.time(0), track: 0)
    #expect(rig.send(buffer) == 4)
    #expect(rig.unit.droppedSysExCount == 1)
    rig.render(quanta: 1)
    let first = rig.heard()
    #expect(Self.sysEx(in: first) == [Self.sysEx(4094)])
    rig.render(quanta: 2)
    #expect(Self.sysEx(in: rig.heard()) == [Self.sysEx(4094), Self.sysEx(4094)])
    #expect(rig.unit.lateEventCount == 2 && rig.unit.refusedEventCount == 0)
  }

  @Test func `cancelled SysEx is not sent, and later SysEx is complete`() throws {
    let rig = try Rig()
    for _ in 0..<40 {
      var buffer = EventBuffer()
      for _ in 0..<8 {
        buffer.append(sysEx: Self.sysEx(4000).span, time: Self.time(1_000_000), track: 0)
      }
      #expect(rig.send(buffer) == 8)
      rig.unit.cancel(from: Self.time(500_000))
      rig.render(quanta: 1)
    }
    var buffer = EventBuffer()
    buffer.append(sysEx: Self.sysEx(50).span, time: Self.time(40 * 64 + 5), track: 0)
    #expect(rig.send(buffer) == 1)
    rig.render(quanta: 1)
    #expect(Self.sysEx(in: rig.heard()) == [Self.sysEx(50)])
  }

  @Test func `wrong lengths from a plug-in do no harm`() throws {
    let rig = try Rig()
    for level: Float in [1.2, 2] {
      try rig.unit.parameters.set(0, to: level)
      var buffer = EventBuffer()
      buffer.append(
        TimedEvent(time: .zero, payload: .message(.program(Channel(index: 0), 1))))
      #expect(rig.send(buffer) == 1)
      rig.render(quanta: 4)
      // The bytes after the first message are from earlier runs, and the search ends with the
      // sequence.
      #expect((level < 1.5 ? 1...4 : 0...0).contains(rig.heard().events.count))
    }
  }

  @Test func `messages that are not collected do not block the plug-in`() throws {
    let rig = try Rig()
    var buffer = EventBuffer()
    for _ in 0..<600 { buffer.append(sysEx: Self.sysEx(10).span, time: Self.time(0), track: 0) }
    for _ in 0..<4 {
      #expect(rig.send(buffer) == 600)
      rig.render(quanta: 4)
    }
    #expect(rig.unit.refusedEventCount == 4 * 600 - 1024)
    #expect(Self.sysEx(in: rig.heard()).count == 1024)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `neither direction allocates or locks`() throws {
    let rig = try Rig()
    var buffer = EventBuffer()
    buffer.append(sysEx: Self.sysEx(100).span, time: Self.time(10), track: 0)
    buffer.append(
      TimedEvent(time: Self.time(20), payload: .message(.program(Channel(index: 0), 1))))
    #expect(rig.send(buffer) == 2)
    callocationcounter_begin()
    rig.render(quanta: 2)
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0 && counts.locks == 0)
    #expect(rig.heard().events.count == 2)
  }
}
