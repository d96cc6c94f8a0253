// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import Testing

@Suite struct RecorderTests {
  private static let second: Int64 = 1_000_000_000
  private let first = Channel(index: 0)

  /// 480 ticks a quarter note at 120 beats a minute: 960 ticks a second.
  private func recorder(_ division: Recorder.Division = []) throws -> Recorder {
    try Recorder(over: MusicSequence(), division: division)
  }

  private func buffer(_ events: [(seconds: Double, message: Message)], track: UInt16 = 0)
    -> HostEventBuffer
  {
    var buffer = HostEventBuffer()
    for (seconds, message) in events {
      buffer.append(
        HostEvent(
          time: HostTime(nanoseconds: 5 * Self.second + Int64(seconds * 1e9)),
          payload: .message(message), track: track))
    }
    return buffer
  }

  private func at(_ seconds: Double) -> ReferenceTime {
    ReferenceTime(nanoseconds: 5 * Self.second + Int64(seconds * 1e9))
  }

  @Test func `the first event is tick 0, and each is rounded to the nearest tick`() throws {
    var recorder = try recorder()
    recorder.take(
      buffer([
        (0, .noteOn(first, Key(60), velocity: 90)), (0.5, .noteOff(first, Key(60), velocity: 3)),
        (1.0006, .control(first, .sustain, value: 127)),
      ]))
    let sequence = try recorder.sequence(until: at(2))
    #expect(
      sequence.tracks.map { Array($0.events) } == [
        [
          TrackEvent(
            .note(Note(first, Key(60), velocity: 90, duration: 480, releaseVelocity: 3)),
            at: .zero),
          TrackEvent(.message(.control(first, .sustain, value: 127)), at: Tick(961)),
        ]
      ])
  }

  @Test func `changes before the start take effect at the start`() throws {
    var recorder = try recorder()
    recorder.take(
      buffer([
        (0, .program(first, 5)), (0.1, .noteOn(first, Key(50), velocity: 1)),
        (0.2, .noteOff(first, Key(50))), (0.9, .noteOn(first, Key(60), velocity: 9)),
        (1.5, .noteOff(first, Key(60))),
      ]))
    recorder.start(from: Tick(1920), at: at(1))
    let track = try #require(try recorder.sequence(until: at(2)).tracks.first)
    #expect(
      Array(track.events) == [
        TrackEvent(.message(.program(first, 5)), at: Tick(1920)),
        TrackEvent(.note(Note(first, Key(60), velocity: 9, duration: 480)), at: Tick(1920)),
      ])
  }

  @Test func `held notes end with the recording, and strays are left out`() throws {
    var recorder = try recorder()
    recorder.take(
      buffer([
        (0, .noteOff(first, Key(40))), (0, .noteOn(first, Key(60), velocity: 9)),
        (0.25, .noteOn(first, Key(60), velocity: 8)), (0.5, .noteOff(first, Key(60))),
        (0.5, Message(status: 0xF8)),
      ]))
    let track = try #require(try recorder.sequence(until: at(1)).tracks.first)
    #expect(
      Array(track.events) == [
        TrackEvent(.note(Note(first, Key(60), velocity: 9, duration: 480)), at: .zero),
        TrackEvent(.note(Note(first, Key(60), velocity: 8, duration: 720)), at: Tick(240)),
      ])
  }

  @Test func `tracks are divided by sender and by channel`() throws {
    let second = Channel(index: 1)
    func tracks(_ division: Recorder.Division) throws -> [Int] {
      var recorder = try recorder(division)
      recorder.take(buffer([(0, .program(first, 1)), (0, .program(second, 2))], track: 7))
      recorder.take(buffer([(0, .program(first, 3))], track: 9))
      return try recorder.sequence(until: at(1), names: [9: "keys"]).tracks.map { track in
        track.events.count { if case .message = $0.content { true } else { false } }
      }
    }
    #expect(try tracks([]) == [3])
    #expect(try tracks(.senders) == [2, 1])
    #expect(try tracks(.channels) == [2, 1])
    #expect(try tracks([.senders, .channels]) == [1, 1, 1])
  }

  @Test func `SysEx is kept whole`() throws {
    var recorder = try recorder()
    var buffer = HostEventBuffer()
    let bytes: [UInt8] = [0x7E, 0x7F, 9, 1]
    buffer.append(
      sysEx: bytes.span, time: TimeBase.host.hostTime(of: at(0)), track: 0, generation: 0)
    recorder.take(buffer)
    let track = try #require(try recorder.sequence(until: at(1)).tracks.first)
    #expect(track.events.map(\.content) == [.sysEx(bytes + [0xF7])])
  }

  @Test func `over a song new tracks follow its own, in its tempo`() throws {
    var song = MusicSequence(format: .single)
    song.tracks = [MusicTrack()]
    try song.insertTempo(try #require(Tempo(microsecondsPerQuarter: 1_000_000)), at: .zero)
    var recorder = try Recorder(over: song)
    recorder.start(from: Tick(480), at: at(0))
    recorder.take(buffer([(0.5, .program(first, 1))]))
    let result = try recorder.sequence(until: at(1))
    #expect(result.tracks.count == 2)
    #expect(result.format == .simultaneous)
    #expect(result.tracks[1].events.map(\.tick) == [Tick(720)])
  }

  @Test func `what was struck at one tick is stored in the order in which it was struck`() throws {
    var recorder = try recorder()
    recorder.take(
      buffer([
        (0, .noteOn(first, Key(67), velocity: 1)), (0, .control(first, .sustain, value: 127)),
        (0, .noteOn(first, Key(60), velocity: 2)), (0.5, .noteOff(first, Key(60))),
        (1, .noteOff(first, Key(67))),
      ]))
    let track = try #require(try recorder.sequence(until: at(2)).tracks.first)
    #expect(
      Array(track.events) == [
        TrackEvent(.note(Note(first, Key(67), velocity: 1, duration: 960)), at: .zero),
        TrackEvent(.message(.control(first, .sustain, value: 127)), at: .zero),
        TrackEvent(.note(Note(first, Key(60), velocity: 2, duration: 480)), at: .zero),
      ])
  }

  @Test func `what arrived at one tick is recorded and played in the order of its arrival`() throws
  {
    let messages: [(seconds: Double, message: Message)] = [
      (0, .noteOn(first, Key(60), velocity: 9)), (0.5, .control(first, .sustain, value: 127)),
      (0.5, .noteOff(first, Key(60))), (0.5, .noteOn(first, Key(62), velocity: 9)),
      (0.5, .noteOff(first, Key(62))), (0.5, .noteOn(first, Key(62), velocity: 8)),
      (0.5, .control(first, .volume, value: 3)), (1, .noteOff(first, Key(62))),
    ]
    var recorder = try recorder()
    recorder.take(buffer(messages))
    var cursor = SequenceCursor(playing: try recorder.sequence(until: at(2)))
    var played: [Message] = []
    while let event = cursor.next(before: Tick(.max)) {
      if case .message(let message) = event.kind { played.append(message) }
    }
    #expect(played == messages.map(\.message))
  }

  @Test func `nothing received is an empty track`() throws {
    #expect(try recorder().sequence(until: at(1)).tracks.map(\.count) == [0])
  }
}
