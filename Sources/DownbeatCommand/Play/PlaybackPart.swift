// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback

/// The part of a song that flags ask for, made ready to be played.
struct PlaybackPart {
  /// What is played: nothing after the end asked for, and clicks before the beginning.
  private(set) var sequence: MusicSequence
  /// Where it begins.
  private(set) var start = Tick.zero
  /// What is played over and over.
  private(set) var loop: LoopRange?
  private let end: Tick

  init(_ song: MusicSequence, _ flags: PlaybackFlags) throws {
    sequence = song
    end = try flags.to?.tick(in: song) ?? song.length
    start = try flags.from?.tick(in: song) ?? flags.ab?.first.tick(in: song) ?? .zero
    guard start < end || song.length == .zero else {
      throw Failure(.usage, "--from: it lies at the end or after it")
    }
    loop = try loop(flags)
    if flags.to != nil { try trim(to: end) }
    // Played a number of times A to B ends at B; for ever it never gets past it.
    if flags.ab != nil, let loop, loop.count > 0 { try trim(to: loop.end) }
    try keep(flags.channels)
    if flags.metronome { try appendClicks() }
    if flags.countIn > 0 { try insertCountIn(bars: flags.countIn) }
  }

  private func loop(_ flags: PlaybackFlags) throws -> LoopRange? {
    if let ab = flags.ab {
      let (first, last) = (try ab.first.tick(in: sequence), try ab.second.tick(in: sequence))
      return try Self.loop(first, last, flags.loop ?? 0, "--ab")
    }
    if flags.inFileLoops, let asked = FileLoop(sequence) {
      return try Self.loop(
        asked.range.lowerBound, min(asked.range.upperBound, end), flags.loop ?? asked.count,
        "--in-file-loops")
    }
    return try flags.loop.map { try Self.loop(start, end, $0, "--loop") }
  }

  private static func loop(
    _ start: Tick, _ end: Tick, _ count: Int, _ flag: String
  ) throws -> LoopRange {
    guard let loop = LoopRange(start: start, end: end, count: count) else {
      throw Failure(.usage, "\(flag): the part to repeat has no length")
    }
    return loop
  }

  /// Takes away what comes at or after a tick; notes that sound there end.
  private mutating func trim(to end: Tick) throws {
    func trim(_ track: inout MusicTrack) throws {
      track.clear(end..<Tick(.max))
      for (index, event) in track.events.enumerated() {
        guard case .note(var note) = event.content,
          event.tick.value + note.duration > end.value
        else { continue }
        note.duration = end.value - event.tick.value
        try track.replace(at: index, with: TrackEvent(.note(note), at: event.tick))
      }
      track.explicitLength = end
    }
    try trim(&sequence.tempoTrack)
    for index in sequence.tracks.indices { try trim(&sequence.tracks[index]) }
  }

  /// Takes away what is on other channels than these, bit n for channel index n.
  private mutating func keep(_ channels: UInt16) throws {
    guard channels != .max else { return }
    for index in sequence.tracks.indices {
      let track = sequence.tracks[index]
      var kept = MusicTrack()
      kept.settings = track.settings
      try kept.insert(contentsOf: track.events.filter { $0.isHeard(on: channels) })
      kept.explicitLength = track.length
      sequence.tracks[index] = kept
    }
  }

  /// Clicks on every beat to the end, whatever channels are left out.
  private mutating func appendClicks() throws {
    do {
      try sequence.appendClicks(until: end)
    } catch {
      throw Failure(.usage, "--metronome: \(error)")
    }
  }

  /// Puts bars of clicks before the beginning, in the tempo and meter in force there.
  private mutating func insertCountIn(bars: Int) throws {
    let countIn: Int64
    do {
      countIn = try sequence.insertCountIn(bars: bars, at: start)
    } catch {
      throw Failure(.usage, "--count-in: \(error)")
    }
    loop = loop.flatMap { loop in
      LoopRange(
        start: loop.start.advanced(by: loop.start >= start ? countIn : 0),
        end: loop.end.advanced(by: countIn), count: loop.count)
    }
  }
}

extension TrackEvent {
  /// Whether it belongs to one of the channels, or to none at all.
  fileprivate func isHeard(on channels: UInt16) -> Bool {
    switch content {
    case .note(let note): channels & (1 << note.channel.index) != 0
    case .message(let message):
      message.channel.map { channels & (1 << $0.index) != 0 } ?? true
    default: true
    }
  }
}

extension MusicSequence {
  /// Whether anything in it strikes a note.
  var hasNotes: Bool {
    tracks.contains { track in
      track.events.contains { event in
        switch event.content {
        case .note: true
        case .message(let message): message.status & 0xF0 == 0x90 && message.data2 > 0
        default: false
        }
      }
    }
  }
}
