// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import Downbeat
internal import MIDIPorts
internal import MusicSequences

/// Plays songs through a synthesiser and a sound device, to MIDI ports, or both.
struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play MIDI files through the synthesiser, or to MIDI ports.",
    discussion: """
      Each file is played until its last note has rung out. `downbeat song.mid` is the same as \
      `downbeat play song.mid`. With --port it goes to MIDI ports instead of the synthesiser, \
      with --synth to both. Ctrl-Z silences; continued, it goes on where it was. A port that goes \
      away is connected again when it returns. The synthesiser plays every song at about −16 LUFS, \
      by an estimate from its notes; --gain is relative to that.

      On a terminal it is shown, and keys are taken: ? lists them, space pauses, the arrows seek, \
      q ends it. Into a pipe, and with --plain, a line tells of the start, the markers and the end.

      With --sync tempo, start, stop and position are a master's: a MIDI clock, MIDI time code, or \
      a clock that `downbeat clock serve` holds. With --clock-out and --mtc-out others are led, \
      also while following.

      EXAMPLES:
        downbeat play song.mid
        downbeat play song.mid -p UM-ONE --wait --reset gm
        downbeat play song.mid -p 20:0 -p 24:0 --offset 0 --offset -15
        downbeat play song.mid --ab 33.1.0,41.1.0 --speed 70% --ramp 5% --count-in 1
        downbeat play song.mid --from @chorus --to 2:30 --mute 2,10 --transpose -3
        downbeat play song.mid -p UM-ONE --sync midi:24:0
        downbeat play song.mid --sync clock:studio
        downbeat play song.mid -p UM-ONE --clock-out 28:0 --mtc-out 32:0
        downbeat play *.mid --soundfont FluidR3_GM.sf2 --gain -3dB
        downbeat play - --audio hw:1,0 --period 256 --periods 3 < song.mid
      """)

  @Argument(
    help: ArgumentHelp("The MIDI files; - reads standard input.", valueName: "file"),
    completion: .songs)
  var paths: [String]

  @OptionGroup(title: "Ports") var ports: PlayPortOptions

  @OptionGroup(title: "What is played") var flags: PlaybackFlags

  @OptionGroup(title: "In time with others") var sync: SyncOptions

  @OptionGroup var device: OutputDeviceOptions

  @Flag(help: "Show how loud the synthesiser's channels and the whole are.")
  var meters = false

  @OptionGroup(title: "On the terminal") var live: LiveOptions

  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func validate() throws {
    guard !meters || ports.usesSynth else {
      throw ValidationError("--meters shows the synthesiser: add --synth")
    }
    guard sync.sync == nil || flags.leavesTransport else {
      throw ValidationError(
        "--sync: start, position and tempo are the master's, and not those of --from, --ab,"
          + " --loop, --in-file-loops, --speed, --ramp or --count-in")
    }
    guard sync.sync == nil || paths.count == 1 else {
      throw ValidationError("--sync: one file at a time can follow a master")
    }
  }

  func run() throws {
    let signals = SignalWatch(whilePlaying: true)
    let wait = try SignalWait(signals)
    var settings = ports.usesSynth ? try sound.settings() : nil
    settings?.hasChannelStrips = meters
    let destinations = try ports.open(wait)
    var tally = Tally()
    var index = 0
    while paths.indices.contains(index) {
      var step = 1
      do {
        let song = try reading.read(paths[index])
        let sequence = try flags.sequence(of: song)
        let settings = try settings.map { try sound.settings($0, for: [sequence]) }
        let place = paths.count > 1 ? "\(index + 1)/\(paths.count)" : ""
        let wish = try play(sequence, of: song.name, place, settings, destinations, signals, wait)
        tally.add(song.status)
        switch wish {
        case nil: break
        case .quit: step = paths.count
        case .file(let count): step = max(count, -index)
        }
      } catch let failure as any FailureDescribing where paths.count > 1 {
        Terminal.report("\(failure)")
        tally.add(failure.exitStatus)
      }
      index += step
    }
    if tally.status != .success { throw tally.status }
  }

  /// Plays a song; returns what a person has ended it for.
  private func play(
    _ song: MusicSequence, of name: String, _ place: String, _ settings: SessionSettings?,
    _ destinations: OutputPorts?, _ signals: SignalWatch, _ wait: SignalWait
  ) throws -> LivePlay.Wish? {
    let part = try PlaybackPart(song, flags)
    let output = try settings.map { try device.open(rate: $0.rate) }
    let session = try settings.map { try Session(part.sequence, settings: $0, pads: sound.pads()) }
    reading.tell(session?.missingPresets ?? [], of: name)
    let (clocks, keeping) = try sync.open(
      for: part.sequence, on: destinations?.client, waits: ports.wait, signals: wait,
      quiet: reading.quiet)
    signals.holdForCleanUp()
    // The next song may come from a pipe, which may keep it waiting.
    defer { signals.release() }
    if let bytes = ports.reset.bytes(for: song) {
      try destinations?.send(sysEx: bytes)
      destinations?.drain(within: PlayRun.patience)
    }
    let targets = destinations?.destinations(through: flags.transform) ?? []
    let playback =
      if let session, let output {
        try session.play(
          on: output, ports: targets, options: flags.options(for: part), sync: clocks)
      } else {
        try Playback(
          part.sequence, on: targets, options: flags.options(for: part), sync: clocks)
      }
    let holdUps = reading.quiet ? nil : playback.reportTrouble()
    flags.accelerate(playback)
    var run = PlayRun(
      playback: playback, ports: destinations, sync: keeping, signals: signals, wait: wait)
    try show(
      &run, part, named: name, place, session, output, gain: settings?.gain ?? 1, signals)
    try run.play()
    guard !reading.quiet else { return run.wish }
    holdUps?.tellRest()
    SoundTrouble(xruns: output?.xrunCount ?? 0, refusedNotes: session?.refusedNoteCount ?? 0)
      .report()
    return run.wish
  }

  /// Gives a run what tells a person of it: a picture with keys, or lines.
  private func show(
    _ run: inout PlayRun, _ part: PlaybackPart, named name: String, _ place: String,
    _ session: Session?, _ output: ALSAOutputUnit?, gain: Float, _ signals: SignalWatch
  ) throws {
    guard !reading.quiet || meters else { return }
    let meters = meters ? session.map { PlayMeters(session: $0, gain: gain) } : nil
    let outline = try SongOutline(part.sequence, named: name)
    guard let display = live.display(isQuiet: reading.quiet, signals) else {
      run.plain = PlainPlay(outline, named: name, from: part.start, meters: meters)
      return
    }
    let controls = PlayControls(run.playback, session, outline, flags, loop: part.loop)
    run.live = LivePlay(
      display, outline, place: place, session: session, output: output,
      syncName: sync.sync?.name ?? "",
      controls: controls, meters: meters)
  }
}
