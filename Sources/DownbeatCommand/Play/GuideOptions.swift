// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MIDIMessages
internal import MIDIPorts
internal import MusicSequences
internal import MusicalTime
internal import PortTools
internal import SequencePlayback

/// The options for the guide that plays while a take is recorded.
struct GuideOptions: ParsableArguments {
  /// The length of the clicks in seconds, if neither a song nor an option sets it: four hours.
  private static let longest: Ratio = 14_400

  @Option(
    help: ArgumentHelp(
      "Play this song while recording, and write it with the recorded tracks added. The song"
        + " sets the tempo.",
      valueName: "song"))
  var over: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bars of clicks before the recording, 0…99.", valueName: "bars"))
  var countIn = 0

  @Flag(help: "Click on every beat.")
  var metronome = false

  @Option(
    help: ArgumentHelp(
      "Play the song and clicks to a MIDI port instead of the synthesiser; repeatable.",
      valueName: "client:port"))
  var to: [String] = []

  @OptionGroup var device: OutputDeviceOptions
  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func validate() throws {
    guard (0...99).contains(countIn) else {
      throw ValidationError("--count-in \(countIn): must be 0…99 bars")
    }
    guard to.isEmpty || isWanted else {
      throw ValidationError(
        "--to: there is nothing to play to this port (add --over, --count-in or --metronome)")
    }
  }

  /// True if a song or clicks are played.
  var isWanted: Bool { over != nil || countIn > 0 || metronome }

  /// The song of `--over`, which has one sequence; nil without `--over`.
  func song() throws -> Song? {
    guard let over else { return nil }
    let song = try reading.read(over)
    guard song.file.sequences.count == 1 else {
      throw Failure(
        .usage,
        "\(song.name): has \(song.file.sequences.count) patterns, but --over needs a song without patterns"
      )
    }
    return song
  }

  /// Starts to play the guide with the song, or with clicks alone; nil if neither is wanted.
  ///
  /// After the first sound, signals no longer end the process at once. `length` is the length of
  /// the recording in nanoseconds; nil without a limit.
  func begin(
    _ song: MusicSequence, of over: Song?, length: Int64?, _ loop: RunLoop
  ) throws -> Guide? {
    guard isWanted else { return nil }
    let ports = try ports()
    var heard = song
    let countIn = try insertClicks(into: &heard, until: length)
    var options = PlaybackOptions()
    options.locksMemory = true
    let playback: Playback
    var opened: OutputDevice?
    if let ports {
      loop.signals.holdForCleanUp()
      let targets = ports.destinations(through: MessageTransform())
      playback = try Playback(heard, on: targets, options: options)
    } else {
      let plain = try sound.settings(allowingNoFont: over != nil)
      let own = try over.map { try sound.settings(plain, of: $0, isQuiet: reading.quiet) }
      let asked = try sound.settings(own ?? plain, for: [heard])
      let output = try device.open(rate: sound.rate)
      opened = output
      let settings = try sound.settings(asked, at: output.rate, for: heard)
      let song = try ChainedSong(heard, settings, sound, isLive: true)
      let session = try Session(
        song.sequence, settings: song.settings, pads: sound.pads(at: output.rate),
        instruments: song.instruments, registry: song.registry)
      reading.tell(MissingSounds(session, song), of: over?.name ?? "record")
      loop.signals.holdForCleanUp()
      playback = try session.play(on: output.unit, options: options)
    }
    playback.reportTrouble(isQuiet: reading.quiet)
    var run = PlayRun(
      playback: playback, ports: ports, sync: PlaySync(isQuiet: true), loop: loop)
    run.device = opened.map { DeviceWatch($0) }
    return try Guide(run, heard, countIn: countIn)
  }

  private func ports() throws -> OutputPorts? {
    guard !to.isEmpty else { return nil }
    let system = PortSystem.named("downbeat guide", isGuarded: true)
    let targets = try PortFinder(system).find(to, .destination)
    return try OutputPorts(targets.map { _ in "play" }, to: targets, of: system)
  }

  /// Adds clicks to the song, and a count-in before it.
  ///
  /// Returns the ticks of the count-in.
  private func insertClicks(
    into song: inout MusicSequence, until length: Int64?
  ) throws -> Int64 {
    do {
      if metronome {
        let limit = length.map { Ratio($0, over: 1_000_000_000) }
        let tempi = try song.tempoMap
        let natural = over == nil ? Self.longest : tempi.seconds(at: song.length)
        let end = try tempi.tick(atSeconds: limit ?? natural, rounding: .ceil).value
        try song.appendClicks(until: end)
      }
      return countIn > 0 ? try song.insertCountIn(bars: countIn, at: .zero) : 0
    } catch {
      throw Failure(.usage, "--\(metronome ? "metronome" : "count-in"): \(error)")
    }
  }
}
