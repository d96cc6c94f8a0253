// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// Checks properties that must hold for all commands and all window lengths.
@Suite struct TransportPropertyTests {
  private static let millisecond: Int64 = 1_000_000

  /// A command, made at a position of the output.
  private enum Command {
    case loop(LoopRange?)
    case rate(Ratio)
    case mute(Int, Bool)
    case edit(UInt64)
    case locate(Tick)
    case stop
    case resume
  }

  private func randomCommand(using generator: inout SplitMix) -> Command {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0:
      let start = Int64.random(in: 0..<3000, using: &generator)
      let length = Int64.random(in: 60...900, using: &generator)
      let count = Int.random(in: 0...3, using: &generator)
      let isOff = Bool.random(using: &generator)
      return .loop(
        isOff ? nil : LoopRange(start: Tick(start), end: Tick(start + length), count: count))
    case 1: return .rate(Ratio(Int64.random(in: 1...40, using: &generator), over: 13))
    case 2:
      return .mute(Int.random(in: 0..<3, using: &generator), Bool.random(using: &generator))
    case 3: return .edit(UInt64.random(in: 0..<50, using: &generator))
    case 4: return .locate(Tick(Int64.random(in: 0..<3800, using: &generator)))
    case 5: return .stop
    default: return .resume
    }
  }

  private func apply(_ command: Command, to rig: PlayerRig) throws {
    switch command {
    case .loop(let loop): try rig.scheduler.setLoop(loop)
    case .rate(let rate): try rig.scheduler.setPlayRate(rate)
    case .locate(let tick): try rig.scheduler.locate(to: tick)
    case .stop: try rig.scheduler.stop()
    case .resume: try rig.scheduler.start()
    case .mute(let track, let isMuted):
      var sequence = rig.player.score.sequence
      sequence.tracks[track].settings.isMuted = isMuted
      try rig.replace(by: sequence)
    case .edit(let seed):
      var sequence = rig.player.score.sequence
      var generator = SplitMix(seed: seed)
      for track in sequence.tracks.indices where !sequence.tracks[track].isEmpty {
        let count = sequence.tracks[track].count
        sequence.tracks[track].remove(at: Int.random(in: 0..<count, using: &generator))
        let tick = Tick(Int64.random(in: 0..<3840, using: &generator))
        let key = Key(UInt8.random(in: 30...90, using: &generator))
        try sequence.tracks[track].insert(
          .note(Note(Channel(index: UInt8(track * 3)), key, velocity: 80, duration: 300)), at: tick)
      }
      try rig.replace(by: sequence)
    }
  }

  /// Commands at times of a grid of 10 ms, the windows cut every `step` milliseconds.
  private func run(seed: UInt64, step: Int64) throws -> PlayerRig {
    var generator = SplitMix(seed: seed)
    let rig = try PlayerRig(try randomSequence(seed: seed))
    for position in stride(from: Int64(0), through: 6000, by: Int(step)) {
      rig.scheduler.look(at: ReferenceTime(nanoseconds: position * Self.millisecond))
      if position % 200 == 0, position > 0 {
        try apply(randomCommand(using: &generator), to: rig)
      }
      try rig.step(at: position * Self.millisecond)
    }
    return rig
  }

  @Test(arguments: 1...40)
  func `windows cut in two give the same events, whatever is commanded between them`(
    seed: UInt64
  ) throws {
    let whole = try run(seed: seed, step: 20)
    for step in [Int64(1), 4, 5] {
      let cut = try run(seed: seed, step: step)
      // Past the last command nothing is taken back, but the horizons end apart.
      let limit: Int64 = 5900 * Self.millisecond
      #expect(
        cut.heard.filter { $0.time < limit } == whole.heard.filter { $0.time < limit },
        "step \(step)")
    }
  }

  @Test(arguments: 1...24)
  func `thousands of random commands leave no note on, none released twice, and time in order`(
    seed: UInt64
  ) throws {
    var generator = SplitMix(seed: seed)
    let rig = try PlayerRig(try randomSequence(seed: seed, notes: 300))
    var position: Int64 = 0
    for _ in 0..<400 {
      let command = randomCommand(using: &generator)
      rig.scheduler.look(at: ReferenceTime(nanoseconds: position * Self.millisecond))
      try apply(command, to: rig)
      if case .stop = command {
        #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
      }
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        position += Int64.random(in: 1...9, using: &generator)
        try rig.step(at: position * Self.millisecond)
      }
    }
    try rig.scheduler.stop()
    let count = NoteCount(rig.sink.messages)
    #expect(count.sounding.isEmpty)
    #expect(count.strayReleases == 0)
    let times = rig.sink.events.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(rig.heard.filter(\.message.isStrike).count > 300)
  }

  /// An output renders one period at a time, so several commands can share a position.
  @Test(arguments: 1...24)
  func `commands at one position lose nothing of one another`(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    let rig = try PlayerRig(try randomSequence(seed: seed, notes: 300))
    var position: Int64 = 0
    for _ in 0..<400 {
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let command = randomCommand(using: &generator)
        rig.scheduler.look(at: ReferenceTime(nanoseconds: position * Self.millisecond))
        try apply(command, to: rig)
        if case .stop = command {
          #expect(NoteCount(rig.sink.messages).sounding.isEmpty)
        }
        try rig.step(at: position * Self.millisecond)
      }
      position += Int64.random(in: 1...60, using: &generator)
      try rig.step(at: position * Self.millisecond)
    }
    try rig.scheduler.stop()
    let count = NoteCount(rig.sink.messages)
    #expect(count.sounding.isEmpty)
    #expect(count.strayReleases == 0)
  }

  @Test func `what a locate sends stays when the loop is set at once after`() throws {
    var sequence = MusicSequence()
    var track = MusicTrack()
    try track.insert(.message(.program(Channel(index: 0), 40)), at: Tick(100))
    try track.insert(
      .note(Note(Channel(index: 0), Key(60), velocity: 90, duration: 480)), at: Tick(960))
    sequence.tracks.append(track)
    let rig = try PlayerRig(sequence)
    let position = 5 * Self.millisecond
    try rig.step(at: position)
    rig.scheduler.look(at: ReferenceTime(nanoseconds: position))
    try rig.scheduler.locate(to: Tick(900))
    try rig.step(at: position)
    try rig.scheduler.setLoop(nil)
    try rig.step(at: position)
    #expect(rig.sink.messages.contains { $0.status == 0xC0 && $0.data1 == 40 })
  }

  @Test func `two hundred runs on a clock that jitters emit every tick once, in order`() throws {
    let spacing: Int64 = 7
    for seed in 1...200 {
      var generator = SplitMix(seed: UInt64(seed))
      let source = ScriptedSource(spacing: spacing)
      var buffer = EventBuffer()
      var end: Int64 = 0
      var tick = 0.0
      for _ in 0..<400 {
        let next = end + Int64.random(in: 1...30, using: &generator) * Self.millisecond
        let phase = Double.random(in: -8...8, using: &generator) * 0.96
        let rate = 1 + Double.random(in: -0.01...0.01, using: &generator)
        // About 960 ticks per second, estimated again for every window.
        let slope = Ratio(Int64(1_041_667 / rate), over: 1)
        let timeline = try Timeline<Tick, ReferenceTime>(
          countOrigin: Int64(tick + phase), origin: ReferenceTime(nanoseconds: end),
          nanosecondsPerCount: slope)
        source.emit(
          ReferenceTime(nanoseconds: end)..<ReferenceTime(nanoseconds: next), along: timeline,
          into: &buffer)
        tick += Double(next - end) / 1_041_667
        end = next
      }
      let indices = buffer.events.map { Int($0.index) }
      #expect(indices == Array(0..<indices.count))
      let times = buffer.events.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(indices.count > 100)
    }
  }

  @Test(arguments: [1, 3, 17])
  func `a sink that takes a few events at a time misses none, and loses no release`(
    room: Int
  ) throws {
    let sequence = try randomSequence(seed: 5, notes: 400)
    let whole = try PlayerRig(sequence)
    let narrow = try PlayerRig(sequence)
    narrow.sink.room = room
    for position in stride(from: Int64(0), through: 60_000, by: 5) {
      try whole.step(at: position * Self.millisecond)
      try narrow.step(at: position * Self.millisecond)
    }
    #expect(narrow.heard == whole.heard)
    #expect(narrow.scheduler.isFinished)
    #expect(NoteCount(narrow.sink.messages).sounding.isEmpty)
  }

  @Test func `a song of 641 tracks goes to its routes, every event once`() throws {
    var sequence = try randomSequence(seed: 3, tracks: 641, notes: 12)
    for track in sequence.tracks.indices {
      sequence.tracks[track].settings.destination = "port \(track % 3)"
    }
    let player = try MusicPlayer(sequence)
    let sinks = (0..<3).map { _ in RecordingSink() }
    let router = Router()
    for sink in sinks { _ = router.addDestination(sink) }
    for track in 0..<641 { router.addRoute(Route(track: UInt16(track), to: track % 3)) }
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: player.score.tempoMap), sources: [player], router: router)
    try scheduler.start(from: 0)
    for position in stride(from: Int64(0), through: 8000, by: 20) {
      try scheduler.step(at: ReferenceTime(nanoseconds: position * Self.millisecond))
    }
    let notes = sequence.tracks.enumerated().reduce(into: [0, 0, 0]) { counts, track in
      counts[track.offset % 3] +=
        track.element.events.filter {
          if case .note = $0.content { true } else { false }
        }.count
    }
    #expect(sinks.map { $0.messages.filter(\.isStrike).count } == notes)
    for sink in sinks { #expect(NoteCount(sink.messages).sounding.isEmpty) }
    #expect(scheduler.isFinished)
  }
}
