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
  /// The ticks of the count-in.
  private(set) var countIn: Int64 = 0

  init(_ song: MusicSequence, _ flags: PlaybackFlags) throws {
    sequence = song
    let end = try flags.to?.tick(in: song) ?? song.length
    var first = try flags.from?.tick(in: song) ?? .zero
    if let ab = flags.ab {
      let (from, to) = (try ab.first.tick(in: song), try ab.second.tick(in: song))
      loop = try Self.loop(from, to, flags.loop ?? 0, "--ab")
      if flags.from == nil { first = from }
      // Played a number of times it ends there; for ever it never gets past it.
      if flags.loop.map({ $0 > 0 }) ?? false { try trim(to: to) }
    } else if flags.inFileLoops, let asked = FileLoop(song) {
      loop = try Self.loop(
        asked.range.lowerBound, min(asked.range.upperBound, end), flags.loop ?? asked.count,
        "--in-file-loops")
    } else if let count = flags.loop {
      loop = try Self.loop(first, end, count, "--loop")
    }
    start = first
    guard first < end || song.length == .zero else {
      throw Failure(.usage, "--from: it lies at the end or after it")
    }
    if flags.to != nil { try trim(to: end) }
    if flags.countIn > 0 { try insertCountIn(bars: flags.countIn) }
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

  /// Puts bars of clicks before the beginning, in the tempo and meter in force there.
  private mutating func insertCountIn(bars: Int) throws {
    guard case .ppqn(let resolution) = sequence.division else {
      throw Failure(.usage, "--count-in: this song counts frames, and has no bars")
    }
    let tempi = try sequence.tempoMap
    let tempo = tempi.tempo(at: start)
    let meter = try sequence.meterMap.signature(at: tempi.quarters(at: start))
    let beat = try (meter.quartersPerBeat * Ratio(Int64(resolution.ticks))).rounded(.nearest).value
    let beats = Int64(meter.numerator) * Int64(bars)
    countIn = beat * beats
    try sequence.insertTime(countIn, at: start)
    try sequence.insertTempo(tempo, at: start)
    try sequence.insertTimeSignature(meter, at: start)
    sequence.tracks.append(
      try Metronome(beat: beat, beatsPerBar: Int64(meter.numerator)).track(
        from: start, beats: beats))
    if sequence.format == .single { sequence.format = .simultaneous }
    loop = loop.flatMap { loop in
      LoopRange(
        start: loop.start.advanced(by: loop.start >= start ? countIn : 0),
        end: loop.end.advanced(by: countIn), count: loop.count)
    }
  }
}
