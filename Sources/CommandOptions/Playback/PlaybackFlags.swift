// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import Downbeat
package import MIDIMessages
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// What of a song is played, rendered or drawn, and how.
package struct PlaybackFlags: ParsableArguments {
  package init() {}

  @OptionGroup package var part: PartFlags

  @Option(
    defaultAsFlag: 0, parsing: .next,
    help: ArgumentHelp("Play it N times over; --loop=0 is for ever.", valueName: "N"))
  package var loop: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Play from A to B for ever, or --loop=N times.", valueName: "A,B"),
    transform: { try TimePair(parsing: $0) })
  package var ab: TimePair?

  @Flag(help: "Loop as the file asks: markers loopStart, loopEnd, controllers 116–117, 110–111.")
  var inFileLoops = false

  @Option(
    name: [.customShort("K"), .long], parsing: .unconditional,
    help: "Semitones up, or down with a minus; drums stay as they are.")
  package var transpose = 0

  @Option(
    name: [.customShort("T"), .long], parsing: .unconditional,
    help: "How fast it plays: 1.5, 80%.", transform: { try Self.factor($0, "--speed") })
  package var speed: Ratio = 1

  @Option(
    parsing: .unconditional,
    help: "Faster by so much each time round a loop: 5%.",
    transform: { try Self.factor($0, "--ramp") })
  package var ramp: Ratio = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bars of clicks before it begins.", valueName: "bars"))
  package var countIn = 0

  @Flag(help: "Click on every beat.")
  package var metronome = false

  @Option(
    help: ArgumentHelp(
      """
      What it runs by: a master from its start to its stop, midi:PORT, mtc:PORT (PORT as for \
      --port), ltc:DEVICE (linear timecode on a sound device), clock:NAME, link (link:3 has bars \
      of 3 beats) or jack (its transport); or offline, without a device and as fast as it can be, \
      as render does.
      """, valueName: "clock"), completion: .songClocks)
  package var sync: SongClock?

  @Option(
    help: """
      Play in a session of Ableton Link, from its next bar: follow takes the session's tempo, wait \
      does so once somebody has started it, lead gives it the song's, each at its beat, and starts \
      and stops it. Bars of 4 beats, or those of --sync link:BEATS.
      """)
  package var link: LinkRole?

  package func validate() throws {
    guard link == nil || sync == nil || sync.map(Self.isLink) == true else {
      throw ValidationError("--link and --sync both name what to follow: choose one")
    }
    guard (-127...127).contains(transpose) else {
      throw ValidationError("--transpose \(transpose): a number of -127…127")
    }
    guard speed > 0, speed <= 32 else {
      throw ValidationError("--speed: a factor above 0, and 32 at most")
    }
    guard (0...99).contains(countIn) else {
      throw ValidationError("--count-in \(countIn): a number of bars, 0…99")
    }
    guard (loop ?? 0) >= 0 else { throw ValidationError("--loop \(loop ?? 0): 0 times or more") }
  }

  /// The master that is followed; nil where there is none.
  package var master: SyncSource? {
    var master: SyncSource?
    if case .master(let source) = sync { master = source }
    guard let link else { return master }
    var session = master ?? SyncSource(.link, [])
    session.role = link
    return session
  }

  private static func isLink(_ clock: SongClock) -> Bool {
    if case .master(let source) = clock { source.kind == .link } else { false }
  }

  /// Whether it is to run by its own clock, without waiting.
  package var isOffline: Bool {
    guard case .offline = sync else { return false }
    return true
  }

  /// Whether start, position and tempo are left to what plays it.
  package var leavesTransport: Bool {
    from == nil && loop == nil && ab == nil && !inFileLoops && speed == 1 && ramp == 0
      && countIn == 0
  }

  package var from: SongTime? { part.from }
  package var to: SongTime? { part.to }
  /// The channels that are heard, of each port.
  package var channels: PortChannels { part.channels }

  /// What of a file is played: its one sequence, or its patterns one after the other.
  package func sequence(of song: Song) throws -> MusicSequence { try part.sequence(of: song) }

  /// What becomes of messages on their way.
  package var transform: MessageTransform {
    var transform = MessageTransform()
    transform.transposition = transpose
    return transform
  }

  /// How a playback of a part begins.
  package func options(for part: PlaybackPart) -> PlaybackOptions {
    var options = PlaybackOptions()
    options.start = part.start
    options.loop = part.loop
    options.playRate = speed
    options.transform = transform
    options.locksMemory = true
    return options
  }

  /// Makes each time round a loop faster than the one before.
  package func accelerate(_ playback: Playback) {
    guard ramp != 0 else { return }
    playback.observe { [weak playback, speed, ramp] event in
      guard case .looped(let pass, _) = event.kind else { return }
      do {
        let factor = try speed * (1 + ramp * Ratio(Int64(pass)))
        try playback?.setPlayRate(min(factor, 32))
      } catch {
        // A fraction too long to be exact: it stays as fast as it is.
      }
    }
  }

  /// A factor or a percentage.
  package static func factor(_ text: String, _ flag: String) throws -> Ratio {
    do {
      return try Ratio(factor: text)
    } catch {
      throw ValidationError("\(flag) \(text): a factor or a percentage, such as 1.5 or 80%")
    }
  }
}

/// Two times with a comma between.
package struct TimePair {
  package let first: SongTime
  package let second: SongTime

  package init(parsing text: String) throws {
    let parts = text.split(separator: ",")
    guard parts.count == 2 else {
      throw ValidationError("--ab \(text): write two times, such as 33.1.0,41.1.0")
    }
    first = try SongTime(parsing: String(parts[0]))
    second = try SongTime(parsing: String(parts[1]))
  }
}
