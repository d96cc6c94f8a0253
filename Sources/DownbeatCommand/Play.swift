// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ALSAMIDI
internal import ArgumentParser
internal import Downbeat
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// Plays songs through a synthesiser and a sound device, to MIDI ports, or both.
struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play MIDI files through the synthesiser, or to MIDI ports.",
    discussion: """
      Each file is played until its last note has rung out. `downbeat song.mid` is the same as \
      `downbeat play song.mid`. With --port it goes to MIDI ports instead of the synthesiser, \
      with --synth to both. Ctrl-Z silences; continued, it goes on where it was. A port that goes \
      away is connected again when it returns.

      EXAMPLES:
        downbeat play song.mid
        downbeat play song.mid -p UM-ONE --wait --reset gm
        downbeat play song.mid -p 20:0 -p 24:0 --offset 0 --offset=-15
        downbeat play song.mid --ab 33.1.0,41.1.0 --speed 70% --ramp 5% --count-in 1
        downbeat play song.mid --from @chorus --to 2:30 --mute 2,10 --transpose=-3
        downbeat play *.mid --soundfont FluidR3_GM.sf2 --gain 0.7
        downbeat play - --audio hw:1,0 --period 256 --periods 3 < song.mid
      """)

  @Argument(help: ArgumentHelp("The MIDI files; - reads standard input.", valueName: "file"))
  var paths: [String]

  @OptionGroup var ports: PortOptions

  @Flag(help: "Play through the synthesiser as well as to the ports.")
  var synth = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Milliseconds by which a port is later, or earlier with a minus; once for each port.",
      valueName: "ms"))
  var offset: [Int] = []

  @Option(help: "What the ports are sent first: gm, gs, xg, mt32, none, or auto.")
  var reset = InstrumentReset.none

  @OptionGroup var flags: PlaybackFlags

  @Option(name: [.short, .long], help: "The ALSA sound device.")
  var audio = "default"

  @Option(name: [.customShort("z"), .long], help: "Frames in a period of the device, 64…8192.")
  var period = 512

  @Option(name: [.customShort("c"), .long], help: "Periods in the device's buffer, 2…32.")
  var periods = 4

  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func validate() throws {
    guard (64...8192).contains(period) else {
      throw ValidationError("--period \(period): 64…8192 frames (try 512)")
    }
    guard (2...32).contains(periods) else {
      throw ValidationError("--periods \(periods): 2…32 (try 4)")
    }
    guard offset.allSatisfy({ (-100...10_000).contains($0) }) else {
      throw ValidationError("--offset: -100…10000 milliseconds")
    }
    guard !ports.port.isEmpty || (offset.isEmpty && reset == .none && !ports.wait) else {
      throw ValidationError("--offset, --reset and --wait are for ports: name one with --port")
    }
  }

  func run() throws {
    let signals = SignalWatch(whilePlaying: true)
    let wait = try SignalWait(signals)
    let settings = usesSynth ? try sound.settings() : nil
    let client = ports.port.isEmpty ? nil : try ALSAClient.guarded(name: "downbeat play")
    let endpoints = try client.map {
      try PortFinder(client: $0, signals: wait, waits: ports.wait).find(ports.port, .destination)
    }
    var tally = Tally()
    for path in paths {
      do {
        let song = try reading.read(path)
        for sequence in song.file.sequences {
          let destinations = try client.map { try PlayPorts(endpoints ?? [], of: $0) }
          try play(sequence, settings, destinations, signals, wait)
        }
        tally.add(song.status)
      } catch let failure as any FailureDescribing where paths.count > 1 {
        Terminal.report("\(failure)")
        tally.add(failure.exitStatus)
      }
    }
    if tally.status != .success { throw tally.status }
  }

  private var usesSynth: Bool { ports.port.isEmpty || synth }

  private func play(
    _ sequence: MusicSequence, _ settings: SessionSettings?, _ destinations: PlayPorts?,
    _ signals: SignalWatch, _ wait: SignalWait
  ) throws {
    let part = try PlaybackPart(destinations?.assigned(sequence) ?? sequence, flags)
    var options = PlaybackOptions()
    options.start = part.start
    options.loop = part.loop
    options.playRate = flags.speed
    options.transform = flags.transform
    let targets =
      destinations?.destinations(
        delays: offset.map { Int64($0) * 1_000_000 }, through: flags.transform) ?? []
    let session = try settings.map { try Session(part.sequence, settings: $0) }
    let output = try settings.map { try ALSAOutputUnit(rate: $0.rate, wishes: wishes) }
    signals.holdForCleanUp()
    if let bytes = reset.bytes(for: sequence) { try destinations?.send(reset: bytes) }
    let playback =
      if let session, let output {
        try session.play(on: output, ports: targets, options: options)
      } else {
        try Playback(part.sequence, on: targets, options: options)
      }
    accelerate(playback)
    var run = PlayRun(
      playback: playback, part: part, transform: flags.transform, ports: destinations,
      signals: signals, wait: wait, status: reading.quiet ? nil : try PlayStatus(part))
    try run.play()
  }

  /// Makes each time round a loop faster than the one before.
  private func accelerate(_ playback: Playback) {
    guard flags.ramp != 0 else { return }
    let (speed, ramp) = (flags.speed, flags.ramp)
    playback.observe { [weak playback] event in
      guard case .looped(let pass, _) = event.kind else { return }
      do {
        let factor = try speed * (1 + ramp * Ratio(Int64(pass)))
        try playback?.setPlayRate(min(factor, 32))
      } catch {
        // A fraction too long to be exact: it stays as fast as it is.
      }
    }
  }

  private var wishes: ALSAOutputUnit.Wishes {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = audio
    wishes.periodFrames = period
    wishes.periodCount = periods
    return wishes
  }
}
