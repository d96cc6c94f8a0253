// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
package import MIDIMessages
package import MusicSequences
package import MusicalTime
internal import SequencePlayback

/// The part of a song that options select, ready to be played.
package struct PlaybackPart {
  /// The sequence that is played: without the time after the selected end, and with clicks before
  /// the beginning.
  package private(set) var sequence: MusicSequence
  /// The start of the part.
  package private(set) var start = Tick.zero
  /// The loop; nil for none.
  package private(set) var loop: LoopRange?
  /// True if `--to` ends the part before or after the end of the song.
  package private(set) var isCut = false
  /// True if the part must have its full length, even if it ends with silence: options set its end,
  /// or it starts after the last note.
  package private(set) var endsAsAsked = false
  private let end: Tick
  /// True if the loop is defined in the file.
  private let isLoopOfFile: Bool
  /// The length of the count-in, in ticks.
  private var countIn: Int64 = 0

  /// Prepares a part of a song.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - name: The name of its file, for error messages.
  ///   - flags: The options.
  ///   - place: The start if no flag sets it and it is within the part.
  ///   - mode: The bank mode, which defines the channels that play drums.
  /// - Throws: `Failure`, which begins with the name, if the song does not have such a part.
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
    // With a number of passes, A to B ends at B; an endless loop never passes B.
    if flags.ab != nil, let loop, loop.count > 0 { sequence.truncate(at: loop.end) }
    flags.part.keepHeard(of: &sequence, in: mode)
    if flags.metronome { try appendClicks() }
    if flags.countIn > 0 { try insertCountIn(bars: flags.countIn) }
    endsAsAsked = flags.to != nil || flags.ab != nil || start >= sequence.soundingLength
  }

  /// The tick that a part never passes: the end of its endless loop; nil without one.
  package var endlessLoopEnd: Tick? { loop?.count == 0 ? loop?.end : nil }

  /// Ends the part at the end of an endless loop that only the file defines, after one pass.
  package mutating func leaveEndlessLoop() {
    guard let loop, loop.count == 0, isLoopOfFile else { return }
    sequence.truncate(at: loop.end)
    self.loop = nil
  }

  /// The tick in the song for a tick in the sequence that is played.
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

  /// Adds clicks on every beat up to the end, on top of the selected channels.
  private mutating func appendClicks() throws {
    do {
      try sequence.appendClicks(until: end)
    } catch {
      throw Failure(.usage, "--metronome: \(error)")
    }
  }

  /// Inserts bars of clicks before the beginning, with the tempo and meter at that position.
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
