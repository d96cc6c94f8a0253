// SPDX-License-Identifier: Apache-2.0
import ClockService
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import Realtime
import Synchronization
import TestSupport
import Testing

/// A playback on separate threads, with a clock that the test moves, so that no event is late.
@Suite(.serialized) struct PlaybackTests {
  private let machine: ManualClock

  init() throws { machine = try ManualClock() }

  /// Advances the time until a condition is true, for at most a minute of the playback.
  private func advance(until holds: () -> Bool) {
    for _ in 0..<30_000 {
      if holds() { return }
      machine.advance(by: 2_000_000)
    }
    Issue.record("waited for a minute")
  }

  /// Advances the time to the end of a playback.
  private func finish(_ playback: Playback) throws {
    advance { playback.hasFinished }
    try playback.waitUntilFinished()
  }

  /// Records events on the event thread.
  ///
  /// The test reads them after the playback has stopped.
  private final class PortSink: EventSink, Sendable {
    let events = Mutex<[HostEvent]>([])
    var ordersByTime: Bool { true }

    func send(_ offered: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
      events.withLock { events in
        for index in offered.indices { events.append(offered[index]) }
      }
      return offered.count
    }

    func cancel(from time: HostTime) {
      events.withLock { $0.removeAll { $0.time >= time } }
    }

    var messages: [Message] {
      events.withLock { $0 }.sorted { $0.time < $1.time }.compactMap {
        guard case .message(let message) = $0.payload else { return nil }
        return message
      }
    }
  }

  /// A port that delays events after their times until the test allows them.
  private final class HoldingSink: EventSink, Sendable {
    let isHeld = Atomic(true)
    let offerCount = Atomic(0)
    var ordersByTime: Bool { true }
    var isHoldingBack: Bool { isHeld.load(ordering: .acquiring) }

    func send(_ offered: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
      offerCount.add(1, ordering: .acquiringAndReleasing)
      return offered.count
    }

    func cancel(from time: HostTime) {}
  }

  @Test func `a song lasts until its port has sent all events, which are offered meanwhile`() throws
  {
    let sink = HoldingSink()
    let playback = try Playback(
      song(3), on: [PlaybackPort(name: "port", sink: sink)], machine: machine)
    for _ in 0..<500 { machine.advance(by: 2_000_000) }
    #expect(!playback.hasFinished)
    let count = sink.offerCount.load(ordering: .acquiring)
    for _ in 0..<100 { machine.advance(by: 2_000_000) }
    #expect(sink.offerCount.load(ordering: .acquiring) > count)
    sink.isHeld.store(false, ordering: .releasing)
    try finish(playback)
  }

  /// Notes of 10 ms, one every 20 ms.
  private func song(_ count: Int) throws -> MusicSequence {
    var sequence = MusicSequence()
    var track = MusicTrack()
    for index in 0..<count {
      let note = Note(
        Channel(index: 0), Key(UInt8(20 + index)), velocity: 9, duration: 10)
      try track.insert(.note(note), at: Tick(Int64(index) * 20))
    }
    try track.insert(.user([7]), at: 40)
    sequence.tracks = [track]
    return sequence
  }

  @Test func `notes of a muted channel end, and its controllers are still sent`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    for channel: UInt8 in 0..<2 {
      let held = Note(Channel(index: channel), Key(60), velocity: 9, duration: 300_000)
      try track.insert(.note(held), at: 0)
      for tick in 0..<200 {
        let note = Note(Channel(index: channel), Key(70), velocity: 9, duration: 5)
        try track.insert(.note(note), at: Tick(Int64(tick) * 20))
        let message = Message.control(
          Channel(index: channel), .modulation, value: UInt8(tick % 128))
        try track.insert(.message(message), at: Tick(Int64(tick) * 20 + 7))
      }
    }
    sequence.tracks = [track]
    let port = PortSink()
    let playback = try Playback(
      sequence, on: [PlaybackPort(name: "port", sink: port)], machine: machine)
    advance { playback.position().tick >= 200 }
    try playback.setHeardChannels(0b10)
    let muted = playback.position().tick
    advance { playback.position().tick >= muted.advanced(by: 400) }
    playback.end(draining: false)
    let messages = port.messages
    let end = try #require(
      messages.firstIndex(of: .control(Channel(index: 0), .allNotesOff, value: 0)))
    let after = messages[end...].filter { $0.channel == Channel(index: 0) }
    #expect(!after.contains { $0.status & 0xF0 == 0x90 && $0.data2 > 0 })
    #expect(after.contains { $0.status == 0xB0 && $0.data1 == 1 })
    #expect(messages[end...].contains { $0.status == 0x91 && $0.data2 > 0 })
    #expect(
      !messages.contains { $0.status == 0xB1 && $0.data1 == 123 && $0 != messages.last }
        || messages.firstIndex { $0.status == 0xB1 && $0.data1 == 123 }.map { $0 > end + 20 }
          == true
    )
  }

  @Test func `all ports are transposed, and a held note ends at the key that was struck`() throws {
    let (left, right) = (PortSink(), PortSink())
    let playback = try Playback(
      try song(60),
      on: [PlaybackPort(name: "left", sink: left), .init(name: "right", sink: right)],
      machine: machine)
    advance { playback.position().tick >= 300 }
    try playback.setTransposition(2)
    try finish(playback)
    for port in [left, right] {
      let struck = port.messages.filter { $0.status == 0x90 && $0.data2 > 0 }.map(\.data1)
      let released = port.messages.filter { $0.status & 0xF0 == 0x80 || $0.data2 == 0 }.map(\.data1)
      #expect(struck.count == 60 && struck == released)
      #expect(struck.first == 20 && struck.last == 81)
    }
  }

  @Test func `an unknown destination is an error that names the available ones`() throws {
    let playback = try Playback(
      try song(1),
      on: [PlaybackPort(name: "left", sink: PortSink()), .init(name: "right", sink: PortSink())],
      machine: machine)
    let error = PlaybackError.unknownDestination(
      "synth", track: nil, available: ["left", "right"])
    #expect(throws: error) { try playback.restoreState(of: "synth") }
    #expect(throws: error) { try playback.setTransform(MessageTransform(), of: "synth") }
    #expect("\(error)".contains("'left', 'right'"))
    try playback.restoreState(of: "right")
    playback.end(draining: false)
  }

  @Test func `a removed observer is not called again`() throws {
    let playback = try Playback(
      try song(20), on: [PlaybackPort(name: "port", sink: PortSink())], machine: machine)
    let heard = Mutex((first: 0, second: 0))
    let first = playback.observe { _ in heard.withLock { $0.first += 1 } }
    playback.observe { _ in heard.withLock { $0.second += 1 } }
    playback.forget(first)
    try finish(playback)
    #expect(heard.withLock { $0.first } == 0)
    #expect(heard.withLock { $0.second } > 1)
  }

  @Test func `a song on a port is played and reported to its end`() throws {
    let port = PortSink()
    let playback = try Playback(
      try song(20), on: [PlaybackPort(name: "port", sink: port)], machine: machine)
    let heard = Mutex<[[UInt8]]>([])
    playback.observeUserEvents { _, bytes, _ in heard.withLock { $0.append(bytes) } }
    try finish(playback)
    // Each note-on and its note-off, and no message that would cut off the tails.
    #expect(port.messages.map(\.data1) == (20..<40).flatMap { [UInt8($0), UInt8($0)] })
    #expect(NoteCount(port.messages).sounding.isEmpty)
    #expect(heard.withLock { $0 } == [[7]])
  }

  @Test func `a song that sends a clock ends with its last note, and sends Stop`() throws {
    let (port, clocks, code) = (PortSink(), PortSink(), PortSink())
    var sync = ClockSync()
    let sequence = try song(10)
    let clock = MIDIClockGenerator(tempoMap: try sequence.tempoMap)
    let timecode = MTCGenerator(
      tempoMap: try sequence.tempoMap, offset: Timecode(frame: 0, rate: .fps25))
    sync.outputs = [.init(clock, to: clocks, delay: .milliseconds(1)), .init(timecode, to: code)]
    let playback = try Playback(
      sequence, on: [PlaybackPort(name: "port", sink: port)], sync: sync, machine: machine)
    advance { playback.hasFinished }
    playback.end(draining: true)
    #expect(port.messages.filter(\.isStrike).count == 10)
    #expect(clocks.messages.contains(Message(status: 0xFA)))
    #expect(clocks.messages.contains(Message(status: 0xFC)))
    #expect(!code.messages.isEmpty)
  }

  @Test func `the clock output runs through the silence at the end of a song`() throws {
    let clocks = PortSink()
    var sequence = try song(1)
    sequence.tracks[0].explicitLength = 1920
    var sync = ClockSync()
    sync.outputs = [.init(MIDIClockGenerator(tempoMap: try sequence.tempoMap), to: clocks)]
    var options = PlaybackOptions()
    options.playsToEnd = true
    let playback = try Playback(sequence, on: [], options: options, sync: sync, machine: machine)
    advance { playback.hasFinished }
    playback.end(draining: true)
    let messages = clocks.messages
    let start = try #require(messages.firstIndex(of: Message(status: 0xFA)))
    let stop = try #require(messages.lastIndex(of: Message(status: 0xFC)))
    let count = messages[start..<stop].count { $0 == Message(status: 0xF8) }
    #expect(count >= 4 * 24, "four quarter notes")
  }

  @Test func `a playback accepts commands while it plays, and stops without hanging notes`() throws
  {
    let port = PortSink()
    let playback = try Playback(
      try song(100), on: [PlaybackPort(name: "port", sink: port)], machine: machine)
    try playback.setLoop(LoopRange(start: 0, end: 200))
    try playback.setPlayRate(4)
    machine.advance(by: 250_000_000)
    let position = playback.position()
    #expect(position.unwrapped > position.tick)
    #expect(position.tick < 200)
    try playback.locate(to: "1|2")
    try playback.setMuted(true, track: 0)
    try playback.setMuted(false, track: 0)
    playback.stop()
    advance { !playback.isRunning }
    let rest = playback.position().unwrapped
    machine.advance(by: 20_000_000)
    #expect(playback.position().unwrapped == rest)
    playback.start()
    playback.end(draining: false)
    #expect(NoteCount(port.messages).sounding.isEmpty)
    #expect(playback.failure == nil)
  }

  @Test func `the rest is sent to a new destination, without hanging notes`() throws {
    var sequence = try song(60)
    sequence.tracks[0].settings.destination = "first"
    let (first, second) = (PortSink(), PortSink())
    let playback = try Playback(
      sequence,
      on: [PlaybackPort(name: "first", sink: first), PlaybackPort(name: "second", sink: second)],
      machine: machine)
    advance { playback.position().tick >= 400 }
    try playback.edit { $0.tracks[0].settings.destination = "second" }
    try finish(playback)
    let before = first.messages.filter(\.isStrike).map(\.data1)
    let after = second.messages.filter(\.isStrike).map(\.data1)
    #expect(before.count >= 20 && !after.isEmpty)
    #expect(before + after == (20..<80).map(UInt8.init))
    #expect(NoteCount(first.messages).sounding.isEmpty)
    #expect(NoteCount(second.messages).sounding.isEmpty)
  }

  @Test func `tracks go to the port they name`() throws {
    var sequence = try song(3)
    var other = sequence.tracks[0]
    other.settings.destination = "second"
    sequence.tracks.append(other)
    let (first, second) = (PortSink(), PortSink())
    let playback = try Playback(
      sequence,
      on: [PlaybackPort(name: "first", sink: first), PlaybackPort(name: "second", sink: second)],
      machine: machine)
    try finish(playback)
    #expect(first.messages.filter(\.isStrike).count == 3)
    #expect(second.messages.filter(\.isStrike).count == 6)
  }

  @Test func `an observer can stop the playback, and the event stream ends`() async throws {
    let port = PortSink()
    var sequence = try song(100)
    // On a busy machine, late events may be skipped.
    for index in 3..<100 { try sequence.tracks[0].insert(.user([7]), at: Tick(Int64(index) * 20)) }
    let playback = try Playback(sequence, on: [PlaybackPort(name: "port", sink: port)])
    let eventStream = playback.eventStream
    playback.observeUserEvents { [playback] _, _, _ in playback.end(draining: false) }
    for await _ in eventStream {}
    try await playback.waitUntilFinished()
    #expect(port.messages.filter(\.isStrike).count < 100)
    #expect(NoteCount(port.messages).sounding.isEmpty)
  }

  @Test func `a playback without references is silent`() throws {
    let port = PortSink()
    do {
      // This uses the clock of the system, which continues when the playback is released.
      let playback = try Playback(try song(100), on: [PlaybackPort(name: "port", sink: port)])
      while playback.position().tick < 100 {
        DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
      }
    }
    let count = port.messages.count
    #expect(NoteCount(port.messages).sounding.isEmpty)
    DeadlineWait.sleep(until: DeadlineWait.now + 200_000_000)
    #expect(port.messages.count == count)
  }
}
