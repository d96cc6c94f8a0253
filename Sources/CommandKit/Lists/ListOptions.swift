// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import PlayerControl

/// The values of `--repeat`.
package enum RepetitionChoice: String, CaseIterable, ExpressibleByArgument {
  case no, list, one

  /// The repetition mode of a queue.
  package var repetition: SongQueue.Repetition {
    switch self {
    case .no: .off
    case .list: .list
    case .one: .one
    }
  }
}

/// The options for the order of songs, repetition and the gap between them.
package struct ListOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Play the songs in random order.")
  package var shuffle = false

  @Option(help: "Seed of --shuffle, 0 or greater; the same seed gives the same order.")
  package var seed: UInt64?

  @Option(
    name: .customLong("repeat"),
    help: "Repeat the list, one song, or nothing.")
  var repetition = RepetitionChoice.no

  @Option(
    help: ArgumentHelp("Silence between songs in seconds, 0…3600.", valueName: "seconds"))
  package var gap = 0.0

  @Flag(
    help: """
      Continue from the position saved with key Q. Without files, play the saved list; with \
      files, start at the saved song and position if that song is among them.
      """)
  package var resume = false

  @Flag(
    inversion: .prefixedNo,
    help: """
      Restore each song's last transposition, mutes and volume, as set by keys at a terminal. \
      Options on the command line override these values.
      """)
  package var remember = false

  package func validate() throws {
    guard seed == nil || shuffle else {
      throw ValidationError("--seed: applies only to a shuffled list (add --shuffle)")
    }
    guard (0...3600).contains(gap) else {
      throw ValidationError("--gap \(gap): must be 0…3600 seconds")
    }
  }

  /// The silence between songs, in nanoseconds.
  package var gapNanoseconds: Int64 { Int64(gap * 1e9) }

  /// The queue of songs that arguments name; files that are left out are reported.
  ///
  /// - Parameters:
  ///   - words: The arguments that name songs; empty to resume the saved list.
  ///   - place: The saved position to resume; nil for none.
  ///   - isQuiet: True to leave out the report of the order.
  /// - Returns: The queue, and the status of what was left out.
  /// - Throws: `Failure` if no song is left.
  package func songs(
    of words: [String], from place: SongMemory.Place?, isQuiet: Bool
  ) throws -> (SongQueue, Tally) {
    guard !words.isEmpty || place?.words.isEmpty == false else {
      throw Failure(.usage, "--resume: no position was saved with key Q (name the songs to play)")
    }
    let isSameList = words.isEmpty
    let (songs, tally) = try SongCollector(isSameList ? place?.words ?? [] : words).told()
    let isShuffled = shuffle || isSameList && place?.seed != nil
    let seed = isShuffled ? seed ?? place?.seed ?? .random(in: 0...UInt64(UInt32.max)) : nil
    if let seed, self.seed == nil, place?.seed == nil, songs.count > 1, !isQuiet {
      Terminal.report("shuffled (--seed \(seed) repeats this order)")
    }
    let queue = SongQueue(songs, seed: seed, repetition: repetition.repetition)
    if let place, !queue.go(to: place), !isQuiet {
      Terminal.report("--resume: \(place.path) is not in this list; starting with the first song")
    }
    return (queue, tally)
  }
}

extension SongCollector {
  /// Reports everything that is left out, including missing files, on standard error.
  ///
  /// - Returns: The songs, and the status of what was left out.
  /// - Throws: The error of a single file, or the status of several, if no song is left.
  package func told() throws -> ([SongEntry], Tally) {
    var collector = self
    collector.leaveOutUnreadable()
    guard !collector.songs.isEmpty || collector.omissions.count > 1 else {
      throw collector.troubles.first ?? Failure(.noInput, "no \(kind.noun.one) was given")
    }
    let tally = collector.reportOmissions()
    guard !collector.songs.isEmpty else { throw tally.status }
    return (collector.songs, tally)
  }

  /// Reports on standard error what is left out.
  ///
  /// - Returns: The status.
  private func reportOmissions() -> Tally {
    var tally = Tally()
    forEachOmission { omission in
      Terminal.report("\(omission.failure)")
      JSONReport.refuse(omission.failure, file: omission.path)
      tally.add(omission.failure.exitStatus)
    }
    return tally
  }

  /// Calls a closure for each omission, then reports the number of further ones.
  ///
  /// - Parameter body: Reports an omission.
  /// - Throws: The error of the closure.
  package func forEachOmission<Trouble>(
    _ body: (Omission) throws(Trouble) -> Void
  ) throws(Trouble) {
    for omission in omissions { try body(omission) }
    if omittedTroubles > 0 {
      Terminal.report("\(omittedTroubles) more entries skipped")
    }
  }
}
