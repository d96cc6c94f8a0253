// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// Tests for sending a SysEx in packets: each part at its own time, or else the whole message.
@Suite struct SysExPartTests {
  /// Parts at 0, 200 and 400 ms of `F0 43 12 00 43 12 00 43 12 00 F7`, the specification's example.
  private static let example: [(Int, [UInt8])] = [
    (0, [0xF0, 3, 0x43, 0x12, 0x00]), (192, [0xF7, 3, 0x43, 0x12, 0x00]),
    (192, [0xF7, 4, 0x43, 0x12, 0x00, 0xF7]),
  ]
  private static let whole: [UInt8] = [
    0xF0, 0x43, 0x12, 0x00, 0x43, 0x12, 0x00, 0x43, 0x12, 0x00, 0xF7,
  ]

  private func rig(_ events: [(Int, [UInt8])], startsAt tick: Tick? = .zero) throws -> PlayerRig {
    let sequence = try SMFReader().read(SongBytes.file(events)).sequences[0]
    let rig = try PlayerRig(sequence, startsAt: nil)
    rig.sink.takesSysExParts = true
    if let tick { try rig.scheduler.start(from: tick, at: .zero) }
    return rig
  }

  private func play(_ rig: PlayerRig, from start: Int64 = 0, until end: Int64 = 1000) throws {
    for time in stride(from: start, to: end, by: 5) { try rig.step(at: time * 1_000_000) }
  }

  private func wire(_ rig: PlayerRig) -> [[UInt8]] { rig.sink.sysExWire.map(\.bytes) }

  private func milliseconds(_ rig: PlayerRig) -> [Int64] {
    rig.sink.sysExWire.map { $0.time.nanoseconds / 1_000_000 }
  }

  @Test func `each part leaves at its own time`() throws {
    let rig = try rig(Self.example)
    try play(rig)
    #expect(
      wire(rig) == [
        [0xF0, 0x43, 0x12, 0x00], [0x43, 0x12, 0x00], [0x43, 0x12, 0x00, 0xF7],
      ])
    #expect(milliseconds(rig) == [0, 200, 400])
    #expect(rig.sink.sysExes.isEmpty)
  }

  @Test func `a last packet of F7 alone ends the message, which is not sent again`() throws {
    let rig = try rig([
      (0, [0xF0, 3, 0x43, 0x12, 0x00]), (192, [0xF7, 2, 0x43, 0x12]), (192, [0xF7, 1, 0xF7]),
    ])
    try play(rig)
    #expect(wire(rig) == [[0xF0, 0x43, 0x12, 0x00], [0x43, 0x12], [0xF7]])
    #expect(milliseconds(rig) == [0, 200, 400])
  }

  @Test(arguments: 1...300)
  func `parts of any length make the message, and others go whole`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var events: [(Int, [UInt8])] = []
    var messages: [[UInt8]] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let count = Int.random(in: 0...40, using: &random)
      let message =
        [0xF0] + (0..<count).map { _ in UInt8.random(in: 0...127, using: &random) } + [0xF7]
      messages.append(message)
      var rest = message[1...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...30, using: &random))
        let isFirst = rest.startIndex == 1
        rest = rest[piece.endIndex...]
        let gap = Int.random(in: 0...40, using: &random)
        events.append((gap, [isFirst ? 0xF0 : 0xF7, UInt8(piece.count)] + piece))
      }
    }
    let rig = try rig(events)
    try play(rig, until: 3000)
    #expect(wire(rig).flatMap { $0 } == messages.flatMap { $0 })
    #expect(milliseconds(rig) == milliseconds(rig).sorted())
  }

  @Test(arguments: [[0x90, 60, 90], [0xB0, 7, 90], [0xF7, 3, 0xC0, 3, 0xF6]] as [[UInt8]])
  func `a SysEx with other events between its parts is sent whole with the last part`(
    event: [UInt8]
  ) throws {
    var events = Self.example
    events.insert((10, event), at: 1)
    let rig = try rig(events)
    try play(rig)
    #expect(wire(rig) == [Self.whole])
  }

  @Test func `a message that begins before another has ended takes its place`() throws {
    var events = Self.example
    events.insert((10, [0xF0, 3, 0x7D, 1, 0xF7]), at: 1)
    let rig = try rig(events)
    try play(rig)
    #expect(wire(rig) == [[0xF0, 0x7D, 1, 0xF7]])
  }

  @Test func `clocks, texts and tempi do not disturb the parts`() throws {
    var events = Self.example
    events.insert((0, [0xF7, 1, 0xF8]), at: 1)
    events.insert((0, [0xFF, 1, 1, 65]), at: 1)
    events.insert((0, [0xFF, 0x51, 3, 7, 0xA1, 0x20]), at: 1)
    let rig = try rig(events)
    try play(rig)
    #expect(wire(rig).count == 3)
    #expect(rig.sink.messages == [Message(status: 0xF8)])
  }

  @Test func `a start in the middle sends the whole message with its last part`() throws {
    let rig = try rig(Self.example, startsAt: 200)
    try play(rig)
    #expect(wire(rig) == [Self.whole])
  }

  @Test(arguments: [50, 150, 201, 399] as [Int64])
  func `a stop ends the message with F7`(time: Int64) throws {
    let rig = try rig(Self.example)
    try play(rig, until: time)
    try rig.scheduler.stop(at: ReferenceTime(nanoseconds: time * 1_000_000))
    #expect(wire(rig).first == [0xF0, 0x43, 0x12, 0x00])
    #expect(wire(rig).last == [0xF7])
    #expect(wire(rig).count == (time > 200 ? 3 : 2))
  }

  @Test func `a stop before or behind a message sends no F7`() throws {
    for time in [0, 450] as [Int64] {
      let rig = try rig(Self.example)
      try play(rig, until: time)
      try rig.scheduler.stop(at: ReferenceTime(nanoseconds: time * 1_000_000))
      #expect(!wire(rig).contains([0xF7]))
    }
  }

  @Test func `a command that moves nothing leaves the parts alone`() throws {
    let rig = try rig(Self.example)
    try play(rig, until: 150)
    try rig.scheduler.interrupt(at: ReferenceTime(nanoseconds: 150_000_000)) { _, _, _ in }
    try play(rig, from: 150)
    #expect(wire(rig).flatMap { $0 } == Self.whole)
    #expect(milliseconds(rig) == [0, 200, 400])
  }

  @Test func `a loop that ends in the middle ends the message, and begins it again`() throws {
    let rig = try rig(Self.example)
    try rig.scheduler.setLoop(LoopRange(start: 0, end: 240, count: 2))
    try play(rig, until: 1500)
    #expect(
      wire(rig) == [
        [0xF0, 0x43, 0x12, 0x00], [0x43, 0x12, 0x00], [0xF7],
        [0xF0, 0x43, 0x12, 0x00], [0x43, 0x12, 0x00], [0x43, 0x12, 0x00, 0xF7],
      ])
  }

  @Test func `an edit in the middle ends the message, and the whole one follows`() throws {
    let rig = try rig(Self.example)
    try play(rig, until: 150)
    var edited = try SMFReader().read(SongBytes.file(Self.example)).sequences[0]
    try edited.tracks[0].insert(.message(.program(Channel(index: 0), 3)), at: 900)
    try rig.replace(by: edited, at: 150_000_000)
    try play(rig, from: 150, until: 2000)
    #expect(wire(rig) == [[0xF0, 0x43, 0x12, 0x00], [0xF7], Self.whole])
  }

  @Test func `a message from elsewhere ends the message, and the whole one follows`() throws {
    let rig = try rig(Self.example)
    try play(rig, until: 150)
    try rig.scheduler.interrupt(at: ReferenceTime(nanoseconds: 150_000_000)) {
      position, _, buffer in
      buffer.append(
        TimedEvent(
          time: position.time, payload: .message(.noteOn(Channel(index: 0), Key(60), velocity: 9))))
    }
    try play(rig, from: 150)
    #expect(wire(rig) == [[0xF0, 0x43, 0x12, 0x00], [0xF7], Self.whole])
  }
}
