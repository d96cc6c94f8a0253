// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
package import Downbeat
package import MIDIMessages
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// The options for playing, rendering and drawing songs.
package struct PlaybackFlags: ParsableArguments {
  package init() {}

  @OptionGroup package var part: PartFlags

  @Option(
    defaultAsFlag: 0, parsing: .next,
    help: ArgumentHelp("Play N times; --loop or --loop=0 repeats forever.", valueName: "N"))
  package var loop: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Repeat the part from A to B, forever or N times (--loop=N).", valueName: "A,B"),
    transform: { try TimePair(parsing: $0) })
  package var ab: TimePair?

  @Flag(
    help: """
      Use the loop points in the file: markers loopStart and loopEnd, controllers 116 and 117, or \
      controllers 110 and 111.
      """)
  var inFileLoops = false

  @Option(
    name: [.customShort("K"), .long], parsing: .unconditional,
    help: "Transpose by semitones, -127…127; drums are not transposed.")
  package var transpose = 0

  @Option(
    name: [.customShort("T"), .long], parsing: .unconditional,
    help: "Play rate, above 0 and up to 32, such as 1.5 or 80%.",
    transform: { try Self.factor($0, "--speed") })
  package var speed: Ratio = 1

  @Option(
    parsing: .unconditional,
    help: "Increase of the play rate on each pass of a loop, such as 5%.",
    transform: { try Self.factor($0, "--ramp") })
  package var ramp: Ratio = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bars of clicks before the start, 0…99.", valueName: "bars"))
  package var countIn = 0

  @Flag(help: "Click on every beat.")
  package var metronome = false

  @Option(
    help: ArgumentHelp(
      """
      Follow this clock: midi:PORT or mtc:PORT (PORT as for --port), ltc:DEVICE (linear time code \
      on a sound device), clock:NAME (or NAME while it runs), link (link:3 for bars of 3 beats) or \
      jack (JACK transport). The master starts and stops playback. --sync offline renders without \
      a device, as fast as possible.
      """, valueName: "clock"), completion: .songClocks)
  package var sync: SongClock?

  @Option(
    help: """
      Play in an Ableton Link session from its next bar. --link follow uses the session's tempo; \
      --link wait also waits until the session is started; --link lead sends the song's tempo \
      changes, start and stop to the session. Bars have 4 beats; --sync link:BEATS sets another \
      number.
      """)
  package var link: LinkRole?

  package func validate() throws {
    guard link == nil || sync == nil || sync.map(Self.isLink) == true else {
      throw ValidationError("--link and --sync name different clocks (leave one out)")
    }
    guard (-127...127).contains(transpose) else {
      throw ValidationError("--transpose \(transpose): must be -127…127")
    }
    guard speed > 0, speed <= 32 else {
      let shown = speed.denominator == 1 ? "\(speed.numerator)" : speed.decimal(3)
      let advice = speed > 32 && speed <= 400 ? " (try \(shown)%)" : ""
      throw ValidationError("--speed \(shown): must be above 0 and at most 32\(advice)")
    }
    guard (0...99).contains(countIn) else {
      throw ValidationError("--count-in \(countIn): must be 0…99 bars")
    }
    guard (loop ?? 0) >= 0 else { throw ValidationError("--loop \(loop ?? 0): must be 0 or more") }
  }

  /// The sync source; nil for none.
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

  /// True for `--sync offline`: rendering without a device, as fast as possible.
  package var isOffline: Bool {
    guard case .offline = sync else { return false }
    return true
  }

  /// True if options do not set start, position or tempo, so that a transport may control them.
  package var leavesTransport: Bool {
    from == nil && loop == nil && ab == nil && !inFileLoops && speed == 1 && ramp == 0
      && countIn == 0
  }

  package var from: SongTime? { part.from }
  package var to: SongTime? { part.to }
  /// The channels of each port that are played.
  package var channels: PortChannels { part.channels }

  /// The sequence of a file that is played: its only one, the selected pattern, or all patterns in
  /// order.
  package func sequence(of song: Song) throws -> MusicSequence { try part.sequence(of: song) }

  /// The transform of messages: the transposition.
  package var transform: MessageTransform {
    var transform = MessageTransform()
    transform.transposition = transpose
    return transform
  }

  /// The playback options for a part.
  package func options(for part: PlaybackPart) -> PlaybackOptions {
    var options = PlaybackOptions()
    options.start = part.start
    options.loop = part.loop
    options.playRate = speed
    options.transform = transform
    options.locksMemory = true
    return options
  }

  /// Makes each loop pass faster than the one before, as `--ramp` requests.
  package func accelerate(_ playback: Playback) {
    guard ramp != 0 else { return }
    playback.observe { [weak playback, speed, ramp] event in
      guard case .looped(let pass, _) = event.kind else { return }
      do {
        let factor = try speed * (1 + ramp * Ratio(Int64(pass)))
        try playback?.setPlayRate(min(factor, 32))
      } catch {
        // The fraction is too large to be exact, so the speed stays the same.
      }
    }
  }

  /// Reads a factor or a percentage.
  package static func factor(_ text: String, _ flag: String) throws -> Ratio {
    do {
      return try Ratio(factor: text)
    } catch {
      throw ValidationError("\(flag) \(text): not a factor or a percentage (try 1.5 or 80%)")
    }
  }
}

/// Two times, separated by a comma.
package struct TimePair {
  package let first: SongTime
  package let second: SongTime

  package init(parsing text: String) throws {
    let parts = text.split(separator: ",")
    guard parts.count == 2 else {
      throw ValidationError("--ab \(text): needs two times (try 33.1.0,41.1.0)")
    }
    first = try SongTime(parsing: String(parts[0]))
    second = try SongTime(parsing: String(parts[1]))
  }
}
