// SPDX-License-Identifier: Apache-2.0
import ClockService
import JSONText
import MusicalTime
import OpenSoundControl
import TestSupport
import Testing

@testable import PlayerControl

/// The beats of a clock and their reports, with a clock that the test moves.
@Suite struct BeatForecastTests {
  private let machine: ManualClock
  private let clock: Transport

  /// Two bars of 3/4 at 120 quarter notes per minute, then 6/8 at 60 from bar 3.
  init() throws {
    machine = try ManualClock()
    let ppqn = try #require(PPQN(480))
    var music = MusicClock(
      tempoMap: try TempoMap(
        division: .ppqn(ppqn),
        changes: [
          TempoChange(tick: 0, tempo: try Tempo.beatsPerMinute(120, rounding: .nearest).value),
          TempoChange(tick: 2880, tempo: try Tempo.beatsPerMinute(60, rounding: .nearest).value),
        ]))
    music.meterMap = try MeterMap(
      changes: [
        MeterChange(position: 0, signature: try TimeSignature(numerator: 3, denominator: 4)),
        MeterChange(position: 6, signature: try TimeSignature(numerator: 6, denominator: 8)),
      ], barOneAt: 0)
    clock = try Transport(music, machine: machine)
  }

  private var snapshot: ClockSnapshot { clock.snapshot }

  private func beats(_ seconds: ClosedRange<Double>, from start: HostTime) throws
    -> [BeatForecast.Beat]
  {
    let times = [seconds.lowerBound, seconds.upperBound].map {
      start.advanced(byNanoseconds: Int64($0 * 1e9))
    }
    return try BeatForecast.beats(
      of: snapshot, in: snapshot.clock.timeContext, times[0]..<times[1], atMost: 100)
  }

  private func started(from tick: Tick = 0) throws -> HostTime {
    let start = machine.now.advanced(byNanoseconds: 1_000_000_000)
    try clock.start(from: tick, at: start)
    machine.settle()
    machine.advance(by: 1_000_000_000)
    return start
  }

  @Test func `beats follow the meter, each at its time`() throws {
    #expect(try beats(0...5, from: machine.now).isEmpty)
    let start = try started()
    defer { clock.end() }
    let found = try beats(0...4.6, from: start)
    #expect(
      found.map { [$0.bar, $0.beat, $0.count] } == [
        [1, 1, 3], [1, 2, 3], [1, 3, 3], [2, 1, 3], [2, 2, 3], [2, 3, 3],
        [3, 1, 6], [3, 2, 6], [3, 3, 6], [3, 4, 6],
      ])
    #expect(
      found.map { $0.time.nanoseconds - start.nanoseconds }
        == [0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500].map { $0 * 1_000_000 })
    #expect(found.map(\.beatsPerMinute) == [120, 120, 120, 120, 120, 120, 60, 60, 60, 60])
    // Before the start, and between beats, the next beat is found.
    #expect(try beats(-1...0.1, from: start).map(\.tick) == [0])
    #expect(try beats(0.1...0.6, from: start).map(\.tick) == [480])
  }

  @Test func `a window cut in two has the same beats`() throws {
    let start = try started(from: 100)
    defer { clock.end() }
    let whole = try beats(0...6, from: start)
    for cut in stride(from: 0.05, to: 6, by: 0.173) {
      #expect(try beats(0...cut, from: start) + beats(cut...6, from: start) == whole)
    }
  }

  @Test func `the beats of a loop are repeated`() throws {
    let start = try started()
    defer { clock.end() }
    try clock.setLoop(LoopRange(start: 480, end: 1440))
    machine.settle()
    machine.advance(by: 5_000_000)
    let found = try beats(0.1...3.9, from: start)
    #expect(found.map(\.tick) == [480, 960, 480, 960, 480, 960, 480])
    #expect(
      found.map { ($0.time.nanoseconds - start.nanoseconds) / 1_000_000 }
        == [500, 1000, 1500, 2000, 2500, 3000, 3500])
    // A loop that contains no beat.
    try clock.setLoop(LoopRange(start: 500, end: 900))
    machine.settle()
    machine.advance(by: 3_000_000_000)
    #expect(try beats(3...8, from: start).isEmpty)
  }

  private static let tags = OSCClock(
    wall: 1_800_000_000_000_000_000, host: HostTime(nanoseconds: 1_000_000_000))

  /// Returns the messages about beats and moves: milliseconds after a start, address, and
  /// arguments.
  private func told(
    _ teller: inout OSCTeller, _ events: [ClockEvent], from start: HostTime
  ) throws -> [String] {
    let packets = try teller.packets(
      events, snapshot, snapshot.clock.timeContext, Self.tags, at: machine.now)
    return try packets.map { packet in
      guard case .bundle(let bundle) = packet, case .message(let message) = bundle.elements[0],
        let time = Self.tags.hostTime(of: bundle.time, near: machine.now)
      else { throw ControlError(.badData, "\(packet)") }
      let words = message.arguments.map { value in
        switch value {
        case .int32(let number): "\(number)"
        case .double(let number): "\(number)"
        default: "\(value)"
        }
      }
      let milliseconds = (time.nanoseconds - start.nanoseconds) / 1_000_000
      return ([String(milliseconds), message.address] + words).joined(separator: " ")
    }
  }

  @Test func `each beat is reported once in advance, and again if it moves`() throws {
    var teller = OSCTeller()
    let start = try started()
    defer { clock.end() }
    #expect(
      try told(&teller, [.started(0, at: start)], from: start) == [
        "0 /start 0.0 1 1", "0 /clock 1 1 120.0",
      ])
    #expect(try told(&teller, [], from: start) == [])
    machine.advance(by: 310_000_000)
    #expect(try told(&teller, [], from: start) == ["500 /clock 1 2 120.0"])
    try clock.setPlayRate(2)
    machine.settle()
    machine.advance(by: 5_000_000)
    let moved = try told(&teller, [], from: start)
    #expect(moved.count == 1 && moved[0].hasSuffix("/clock 1 2 240.0"), "\(moved)")
    #expect(try told(&teller, [], from: start) == [])
    clock.stop()
    machine.settle()
    machine.advance(by: 5_000_000)
    let end = machine.now
    #expect(
      try told(&teller, [.stopped(.command, 480, at: end)], from: end) == ["0 /stop 0.5 1 2"])
    #expect(try told(&teller, [.located(2880, at: end)], from: end) == ["0 /locate 3.0 3 1"])
  }

  @Test func `a page gets the beats around the position, and changes`() throws {
    let start = try started()
    defer { clock.end() }
    machine.advance(by: 700_000_000)
    let scene = WebScene(
      clock: snapshot, context: snapshot.clock.timeContext, title: "a", source: "",
      markers: [(0, "first"), (2880, "second")])
    let beats = try scene.beats(around: machine.now)
    let document = try scene.document(at: machine.now, beats)
    #expect(document["at"]?.description == "[1,2,3]" && document["meter"]?.string == "3/4")
    #expect(document["beats"]?.elements?.count == beats.count && beats.count == 10)
    #expect(beats[0].time == start)
    #expect(document["marker"]?.string == "first" && document["next"]?.string == "second")
    #expect(
      document["frames"]?.scalarText == "17.500" && document["speed"]?.scalarText == "1.000000")
    #expect(
      document["nextAt"]?.scalarText == "\((start.nanoseconds + 3_000_000_000) / 1_000_000).000")
    // A new time alone does not need a new message, but another speed does.
    machine.advance(by: 900_000_000)
    let later = WebScene(
      clock: snapshot, context: snapshot.clock.timeContext, title: "a", source: "", markers: [])
    #expect(try !later.breaks(beats, at: machine.now))
    try clock.setPlayRate(2)
    machine.settle()
    machine.advance(by: 5_000_000)
    let faster = WebScene(
      clock: snapshot, context: snapshot.clock.timeContext, title: "a", source: "", markers: [])
    #expect(try faster.breaks(beats, at: machine.now))
    #expect(faster.words(at: machine.now) != later.words(at: machine.now))
  }
}
