// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// The state that a player restores at loops, at seeks and after another song, as a port gets it.
@Suite struct StateLoopTests {
  private let one = Channel(index: 0)

  private func control(_ number: UInt8, _ value: UInt8) -> Message {
    .control(one, Controller(number), value: value)
  }

  /// A note at the start and one at tick 480, after some changes.
  private func song(_ changes: [TrackEvent.Content]) throws -> MusicSequence {
    var track = MusicTrack()
    try track.insert(.note(Note(one, Key(69), velocity: 90, duration: 480)), at: 0)
    for content in changes { try track.insert(content, at: 480) }
    try track.insert(.note(Note(one, Key(72), velocity: 90, duration: 480)), at: 480)
    var sequence = MusicSequence()
    sequence.tracks = [track]
    return sequence
  }

  /// The SysExes and messages that are sent at the start of the second pass, before its first note.
  private func restored(_ changes: [TrackEvent.Content]) throws -> (
    sysExes: [[UInt8]], messages: [Message]
  ) {
    let rig = try PlayerRig(try song(changes))
    try rig.scheduler.setLoop(LoopRange(start: 0, end: 960, count: 2))
    for step in 0..<30 { try rig.step(at: Int64(step) * 50_000_000) }
    let second = rig.heard.filter { $0.time >= 1_000_000_000 }.map(\.message)
    let first = try #require(second.first)
    // The last note of the pass has ended.
    #expect(first == .noteOff(one, Key(72)))
    let strike = try #require(second.firstIndex(of: .noteOn(one, Key(69), velocity: 90)))
    let changesCount = changes.count { if case .sysEx = $0 { true } else { false } }
    return (Array(rig.sink.sysExes.dropFirst(changesCount).prefix(8)), Array(second[1..<strike]))
  }

  @Test func `only what the pass has changed is restored, after its last note`() throws {
    let back = try restored([
      .sysEx([0x7F, 0x7F, 4, 1, 0, 32, 0xF7]), .message(control(1, 40)),
      .message(.bend(one, 9000)),
    ])
    #expect(back.sysExes.first == [0x7F, 0x7F, 4, 1, 0x7F, 0x7F])
    #expect(back.messages == [control(1, 0), .bend(one, 8192)])
    #expect(try restored([]).messages.isEmpty)
  }

  @Test func `a pedal held at a loop's end is up at its start`() throws {
    #expect(try restored([.message(control(64, 127))]).messages == [control(64, 0)])
    #expect(try restored([.message(control(66, 127))]).messages == [control(66, 0)])
    #expect(try restored([.message(control(64, 0))]).messages == [])
  }

  @Test func `a song after another is played as if alone`() throws {
    let first = try song([
      .message(control(7, 30)), .message(.program(one, 5)),
      .sysEx([0x7F, 0x7F, 4, 4, 0, 70, 0xF7]), .message(control(64, 127)),
    ])
    let rig = try PlayerRig(try song([.message(control(10, 3))]), startsAt: nil)
    let end = Tick(961)
    rig.player.stateLeft = LeftState(ChaseIndex(first).state(at: end), .none)
    try rig.scheduler.start(from: 0, at: .zero)
    try rig.step(at: 0)
    #expect(rig.sink.sysExes == [[0x7F, 0x7F, 4, 4, 0, 64]])
    #expect(
      rig.sink.messages.prefix(6) == [
        control(0, 0), control(32, 0), .program(one, 0), control(7, 100), control(64, 0),
        .noteOn(one, Key(69), velocity: 90),
      ])
  }

  @Test func `a song after one that was broken off is sent all of its state`() throws {
    let first = try song([.message(control(7, 30)), .message(control(10, 3))])
    let second = try song([.message(control(10, 3)), .message(control(11, 90))])
    let rig = try PlayerRig(second, startsAt: nil)
    rig.player.stateLeft = LeftState(ChaseIndex(first).state(at: 961), .unsure)
    try rig.scheduler.start(from: 700, at: .zero)
    try rig.step(at: 0)
    #expect(
      rig.sink.messages.prefix(3) == [control(7, 100), control(10, 3), control(11, 90)])
  }

  @Test(arguments: 1...6)
  func `a SysEx in packets is sent whole with its last packet`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let bytes: [UInt8] = [0x7F, 0x7F, 4, 1, UInt8.random(in: 0...127, using: &random), 32]
    let whole: [UInt8] = [0xF0] + bytes + [0xF7]
    var events: [(Int, [UInt8])] = []
    var rest = whole[1...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...3, using: &random)
      let piece = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      events.append(
        (events.isEmpty ? 0 : 48, [events.isEmpty ? 0xF0 : 0xF7, UInt8(piece.count)] + piece))
    }
    // Escapes: a controller, a start of the clock, a SysEx.
    events.append((48, [0xF7, 3, 0xB0, 7, 9]))
    events.append((0, [0xF7, 1, 0xFA]))
    events.append((0, [0xF7, 5, 0xF0, 0x7E, 0x7F, 0x06, 0xF7]))
    let last = events.count - 3
    let sequence = try SMFReader().read(SongBytes.file(events)).sequences[0]
    let rig = try PlayerRig(sequence)
    for step in 0..<20 { try rig.step(at: Int64(step) * 50_000_000) }
    #expect(rig.sink.sysExes == [bytes, [0x7E, 0x7F, 0x06]])
    let sent = rig.sink.events.first { if case .sysEx = $0.payload { true } else { false } }
    #expect(sent?.time.nanoseconds == Int64(last - 1) * 50_000_000)
    #expect(Set(rig.sink.messages) == [control(7, 9), Message(status: 0xFA)])
  }

  @Test func `a SysEx that never ends is not sent, and one after it is`() throws {
    let sequence = try SMFReader().read(
      SongBytes.file([
        (0, [0xF0, 3, 0x7E, 0x7F, 9]), (48, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]),
        (48, [0xF7, 2, 1, 0xF7]), (48, [0xB0, 7, 1]),
      ])
    ).sequences[0]
    let rig = try PlayerRig(sequence)
    for step in 0..<10 { try rig.step(at: Int64(step) * 50_000_000) }
    #expect(rig.sink.sysExes == [[0x7E, 0x7F, 9, 1]])
  }

  @Test func `a SysEx in packets is part of the state at a seek`() throws {
    let sequence = try SMFReader().read(
      SongBytes.file([
        (0, [0xF0, 4, 0x7F, 0x7F, 4, 4]), (48, [0xF7, 3, 0, 70, 0xF7]), (480, [0xB0, 7, 1]),
      ])
    ).sequences[0]
    let rig = try PlayerRig(sequence, startsAt: 500)
    try rig.step(at: 0)
    #expect(rig.sink.sysExes == [[0x7F, 0x7F, 4, 4, 0, 70]])
  }
}
