// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import MIDIMessages
package import MusicSequences
package import MusicalTime
internal import SequencePlayback

/// The part of a song that flags ask for, made ready to be played.
package struct PlaybackPart {
  /// What is played: nothing after the end asked for, and clicks before the beginning.
  package private(set) var sequence: MusicSequence
  /// Where it begins.
  package private(set) var start = Tick.zero
  /// What is played over and over.
  package private(set) var loop: LoopRange?
  /// True if --to moves its end away from the song's end.
  package private(set) var isCut = false
  /// True if the silence after its last note is rendered: flags set its end, or it is silent.
  package private(set) var endsAsAsked = false
  private let end: Tick
  /// Whether the file asks for the loop and says how often it is played.
  private let isLoopOfFile: Bool
  /// The ticks of clicks before the beginning.
  private var countIn: Int64 = 0

  /// Makes a part of a song ready.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - name: The name of its file, for error messages.
  ///   - flags: The part that is asked for.
  ///   - place: The start if no flag sets it and it is within the part.
  ///   - mode: The bank mode, which defines the channels that play drums.
  /// - Throws: `Failure`, which begins with the name, if the song has no such part.
  package init(
    _ song: MusicSequence, named name: String, _ flags: PlaybackFlags, from place: Tick? = nil,
    in mode: BankMode = .auto
  ) throws {
    do {
      try self.init(song, flags, place, mode)
    } catch let failure as Failure {
      throw Failure(failure.exitStatus, "\(name): \(failure)", options: failure.options)
    }
  }

  private init(
    _ song: MusicSequence, _ flags: PlaybackFlags, _ place: Tick?, _ mode: BankMode
  ) throws {
    sequence = song
    isLoopOfFile = flags.inFileLoops && flags.ab == nil && flags.loop == nil
    let span = try PartSpan(
      from: flags.from, ab: flags.ab?.first, to: flags.to,
      mayExtend: flags.loop != nil || flags.metronome, of: song)
    (start, end) = (span.start, span.end)
    if flags.from == nil, let place, start < place, place < end { start = place }
    loop = try loop(flags)
    isCut = flags.to != nil && end != song.length
    if flags.to != nil { sequence.truncate(at: end) }
    // Played a number of times A to B ends at B; for ever it never gets past it.
    if flags.ab != nil, let loop, loop.count > 0 { sequence.truncate(at: loop.end) }
    flags.part.keepHeard(of: &sequence, in: mode)
    if flags.metronome { try appendClicks() }
    if flags.countIn > 0 { try insertCountIn(bars: flags.countIn) }
    endsAsAsked = flags.to != nil || flags.ab != nil || start >= sequence.soundingLength
  }

  /// The tick that a part never gets past: the end of its endless loop; nil if it has none.
  package var endlessLoopEnd: Tick? { loop?.count == 0 ? loop?.end : nil }

  /// Ends at the end of the loop, played once: an endless loop that only the file asks for.
  package mutating func leaveEndlessLoop() {
    guard let loop, loop.count == 0, isLoopOfFile else { return }
    sequence.truncate(at: loop.end)
    self.loop = nil
  }

  /// The song's own tick at a tick of what is played.
  package func songTick(of tick: Tick) -> Tick {
    tick <= start ? tick : max(start, tick.advanced(by: -countIn))
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
      throw Failure(.usage, "\(flag): the loop is empty")
    }
    return loop
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
