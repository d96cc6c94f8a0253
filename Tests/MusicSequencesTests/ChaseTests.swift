// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// The state of a sequence at a tick, as a player finds it.
@Suite struct ChaseTests {
  private let one = Channel(index: 0)

  private func messages(_ sequence: MusicSequence, at tick: Tick) -> [Message] {
    ChaseIndex(sequence).state(at: tick).messages.map(\.message)
  }

  /// The parameters that tracks have set, and their values at a tick, on the way to the next event.
  private func parameters(
    _ sequence: MusicSequence, at tick: Tick
  ) -> [(event: ParameterEvent, value: Float)] {
    let ramps = AutomationRamps(sequence)
    return ChaseIndex(sequence).state(at: tick).parameters.compactMap { event in
      guard case .parameter(let place) = event.kind,
        let change = sequence.tracks[Int(event.track)].parameter(at: place)
      else { return nil }
      return (change, ramps.ramp(from: event)?.value(at: tick) ?? change.value)
    }
  }

  private func sequence(_ messages: [(Int64, Message)]) throws -> MusicSequence {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(contentsOf: messages.map { TrackEvent(.message($1), at: Tick($0)) })
    sequence.tracks = [track]
    return sequence
  }

  private func control(_ number: UInt8, _ value: UInt8) -> Message {
    .control(one, Controller(number), value: value)
  }

  @Test func `only the last value of each controller is sent`() throws {
    let sequence = try sequence([
      (0, control(7, 90)), (5, control(7, 80)), (6, control(10, 3)), (9, control(7, 70)),
    ])
    #expect(messages(sequence, at: 9) == [control(7, 80), control(10, 3)])
    #expect(messages(sequence, at: 0).isEmpty)
  }

  @Test func `a bank goes before the program that was selected under it, a later one after`() throws
  {
    let sequence = try sequence([
      (0, control(0, 1)), (0, control(32, 2)), (1, .program(one, 5)), (2, control(0, 9)),
    ])
    #expect(
      messages(sequence, at: 3)
        == [control(0, 1), control(32, 2), .program(one, 5), control(0, 9)])
  }

  @Test func `a bank that waits for its program outlives a reset`() throws {
    let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7]
    var sequence = try sequence([
      (0, control(0, 1)), (0, .program(one, 5)), (1, control(0, 8)), (4, .program(one, 6)),
    ])
    try sequence.tracks[0].insert(contentsOf: [TrackEvent(.sysEx(gs), at: 2)])
    #expect(messages(sequence, at: 3) == [control(0, 8)])
    #expect(messages(sequence, at: 5) == [control(0, 8), .program(one, 6)])
  }

  @Test func `parameters are set again and the current selection restored`() throws {
    let sequence = try sequence([
      (0, control(101, 0)), (0, control(100, 0)), (0, control(6, 12)), (0, control(38, 3)),
      (1, control(99, 1)), (1, control(98, 8)), (1, control(6, 70)), (2, control(101, 0)),
      (2, control(100, 0)), (2, control(6, 7)), (3, control(101, 127)), (3, control(100, 127)),
    ])
    #expect(
      messages(sequence, at: 4) == [
        control(101, 0), control(100, 0), control(6, 7), control(99, 1), control(98, 8),
        control(6, 70), control(101, 127), control(100, 127),
      ])
  }

  @Test func `what a reset of controllers clears is not sent, what survives it is`() throws {
    let sequence = try sequence([
      (0, control(7, 90)), (0, control(1, 50)), (0, .bend(one, 100)), (0, control(91, 7)),
      (1, control(121, 0)), (2, control(11, 60)),
    ])
    #expect(
      messages(sequence, at: 3)
        == [control(121, 0), control(7, 90), control(11, 60), control(91, 7)])
  }

  @Test func `seeking back restores the initial values of later changes`() throws {
    let sequence = try sequence([
      (0, control(10, 3)), (5, control(7, 20)), (5, .program(one, 9)), (6, .bend(one, 0)),
    ])
    #expect(messages(sequence, at: 3) == [control(10, 3)])
    let index = ChaseIndex(sequence)
    let back = index.state(at: 3).restoration(after: index.state(at: 7)).messages.map(\.message)
    #expect(
      back == [
        control(0, 0), control(32, 0), .program(one, 0), control(7, 100), .bend(one, 8192),
      ])
  }

  @Test func `SysEx before the tick is named once, in order`() throws {
    var sequence = try sequence([])
    try sequence.tracks[0].insert(.sysEx([1, 0xF7]), at: 0)
    try sequence.tracks[0].insert(.sysEx([2, 0xF7]), at: 1)
    try sequence.tracks[0].insert(.sysEx([1, 0xF7]), at: 2)
    try sequence.tracks[0].insert(.sysEx([3, 0xF7]), at: 3)
    let payloads = ChaseIndex(sequence).state(at: 3).restoration.sysExes.map(\.bytes)
    #expect(payloads == [[2], [1]])
  }

  @Test func `chasing has the effect of playing, at every tick of random songs`() throws {
    var generator = SplitMix(seed: 11)
    for _ in 0..<40 {
      let messages = (0..<120).map { (Int64($0 / 3), randomMessage(using: &generator)) }
      let sequence = try sequence(messages)
      for tick in stride(from: Int64(0), through: 41, by: 3) {
        var played = Instrument()
        for (time, message) in messages where time < tick { played.receive(message) }
        var chased = Instrument()
        for message in self.messages(sequence, at: Tick(tick)) { chased.receive(message) }
        #expect(played == chased, "tick \(tick)")
      }
    }
  }

  private func randomMessage(using generator: inout SplitMix) -> Message {
    let value = UInt8.random(in: 0...127, using: &generator)
    let numbers: [UInt8] = [0, 1, 6, 7, 11, 32, 38, 64, 91, 98, 99, 100, 101, 121]
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .program(one, value)
    case 1: return .bend(one, UInt16(value) << 5)
    case 2: return Message(status: 0xD0, data1: value)
    case 3: return Message(status: 0xA0, data1: value & 3, data2: value)
    default:
      let number = numbers[Int.random(in: 0..<numbers.count, using: &generator)]
      let isSelection = (98...101).contains(number)
      return control(number, isSelection ? value & 1 : value)
    }
  }

  @Test func `a parameter on a ramp has the value on the way`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    let gain = { (value: Float, isRamp: Bool) -> TrackEvent.Content in
      .parameter(ParameterEvent(parameter: 1, value: value, isRamp: isRamp))
    }
    let other = ParameterEvent(parameter: 1, element: 2, value: 9)
    try track.insert(gain(-1, false), at: 100)
    try track.insert(.parameter(other), at: 150)
    try track.insert(gain(1, true), at: 300)
    try track.insert(gain(0.5, false), at: 500)
    try track.insert(gain(-0.5, true), at: 600)
    sequence.tracks = [MusicTrack(), track]
    let values = { (tick: Tick) -> [Float] in
      parameters(sequence, at: tick).filter { $0.event.element == 0 }.map(\.value)
    }
    // Nothing is set yet; just set; a quarter, half and all of the way; held; a step; a ramp again.
    #expect(values(100) == [])
    #expect(values(101) == [-0.99])
    #expect(values(150) == [-0.5])
    #expect(values(200) == [0])
    #expect(values(300) == [1])
    #expect(values(400) == [1])
    #expect(values(501) == [0.49])
    #expect(values(10_000) == [-0.5])
    #expect(parameters(sequence, at: 250).contains { $0.event == other && $0.value == 9 })
  }

  @Test(arguments: UInt64(0)..<40)
  func `a chased parameter lies on the line through its points`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var points: [(tick: Int64, value: Float, isRamp: Bool)] = []
    var track = MusicTrack()
    for tick in Set((0..<12).map { _ in Int64.random(in: 0...400, using: &random) }).sorted() {
      let value = Float(Int.random(in: -8...8, using: &random))
      points.append((tick, value, Bool.random(using: &random)))
      let event = ParameterEvent(parameter: 7, value: value, isRamp: points.last?.isRamp ?? false)
      try track.insert(.parameter(event), at: Tick(tick))
    }
    var sequence = MusicSequence()
    sequence.tracks = [track]
    for tick in Int64(0)...420 {
      let before = points.last { $0.tick < tick }
      let after = points.first { $0.tick >= tick }
      var expected = before.map { Double($0.value) }
      if let before, let after, after.isRamp {
        let part = Double(tick - before.tick) / Double(after.tick - before.tick)
        expected = Double(before.value) + Double(after.value - before.value) * part
      }
      let chased = parameters(sequence, at: Tick(tick)).map(\.value)
      #expect(chased == (expected.map { [Float($0)] } ?? []))
    }
  }
}

/// A channel of an instrument as the standard describes it: what its messages leave behind.
private struct Instrument: Equatable {
  private var controllers: [UInt8: UInt8] = [7: 100, 10: 64, 11: 127, 91: 40]
  private var program: [UInt8] = [0, 0, 0]
  private var bend: [UInt8] = [0, 64]
  private var pressure: UInt8 = 0
  private var keyPressures: [UInt8: UInt8] = [:]
  private var selection: [UInt8] = [1, 127, 127]
  private var parameters: [[UInt8]: [UInt8]] = [:]

  mutating func receive(_ message: Message) {
    switch message.status & 0xF0 {
    case 0xA0: keyPressures[message.data1] = message.data2 == 0 ? nil : message.data2
    case 0xB0: control(message.data1, message.data2)
    case 0xC0: program = [controllers[0] ?? 0, controllers[32] ?? 0, message.data1]
    case 0xD0: pressure = message.data1
    case 0xE0: bend = [message.data1, message.data2]
    default: break
    }
  }

  private mutating func control(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 98: selection = [0, selection[0] == 0 ? selection[1] : 127, value]
    case 99: selection = [0, value, selection[0] == 0 ? selection[2] : 127]
    case 100: selection = [1, selection[0] == 1 ? selection[1] : 127, value]
    case 101: selection = [1, value, selection[0] == 1 ? selection[2] : 127]
    case 6, 38:
      guard selection[1] != 127 || selection[2] != 127 else { return }
      var old = parameters[selection] ?? [0, 0]
      old[number == 6 ? 0 : 1] = value
      if number == 6 { old[1] = 0 }
      parameters[selection] = old
    case 121: reset()
    default: controllers[number] = value == 0 && ![7, 11, 91].contains(number) ? nil : value
    }
  }

  private mutating func reset() {
    controllers[1] = nil
    controllers[64] = nil
    controllers[11] = 127
    bend = [0, 64]
    pressure = 0
    keyPressures = [:]
    selection = [1, 127, 127]
  }
}
