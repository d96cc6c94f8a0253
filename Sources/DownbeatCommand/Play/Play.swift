// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIPorts
internal import MusicSequences
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SoundTools

/// The command `downbeat play`, which plays songs through the synthesiser, to MIDI ports, or both.
struct Play: ReportingCommand, SoundingCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play MIDI files through the synthesiser, or to MIDI ports.",
    discussion: """
      Each file plays to its end, silence included, and until its last note has faded. `downbeat \
      song.mid` is short for `downbeat play song.mid`. With --port, songs go to MIDI ports \
      instead of the synthesiser; with --synth, to both. Ctrl-Z silences and suspends the player; \
      fg resumes at the same position. A port that disappears is reconnected when it returns. The \
      synthesiser plays every song at about −16 LUFS, estimated from its notes; --gain is \
      relative to this level.

      On a terminal, `play` shows a live display and accepts keys: ? lists them, space pauses, the \
      arrows seek, q quits. If the output is a pipe, or with --plain, it prints a line at the \
      start, at each marker and at the end; with --json, these lines are JSON \
      (Documentation/JSON.md).

      In addition to files, `play` accepts folders, playlists (.m3u, .m3u8, .pls) and file:// \
      addresses. Folders are searched recursively, in natural order (2 before 10). Playlists are \
      UTF-8 or UTF-16; file names in other encodings are used byte for byte. Relative paths in a \
      playlist start at the playlist's folder; \\ in them separates folders, unless a file has \
      that literal name. Bytes of file names that are not UTF-8 are shown in hexadecimal, such as \
      \\xE9. Missing files are reported at the start. A playlist entry that cannot be played is \
      skipped and reported with its playlist and line; the exit status is then 3. If no entry can \
      be played, the exit status depends on the error.

      With --sync, a master sets tempo, start, stop and position: a MIDI clock, MIDI or linear \
      time code, a clock of `downbeat clock serve`, an Ableton Link session or JACK's transport. \
      --clock-out and --mtc-out send MIDI clock and MIDI time code, with or without --sync.

      EXAMPLES:
        downbeat play song.mid
        downbeat play song.mid -p UM-ONE --wait --reset gm
        downbeat play song.mid -p 20:0 -p 24:0 --offset 0 --offset -15
        downbeat play song.mid --ab 33.1.0,41.1.0 --speed 70% --ramp 5% --count-in 1
        downbeat play song.mid --from @chorus --to 2:30 --mute 2,10 --transpose -3
        downbeat play song.mid -p UM-ONE --sync midi:24:0
        downbeat play song.mid --sync clock:studio
        downbeat play song.mid --link lead
        downbeat play song.mid -p UM-ONE --clock-out 28:0 --mtc-out 32:0
        downbeat play song.mid --osc 9000 --osc-out 127.0.0.1:9001
        downbeat play song.mid --web 0.0.0.0:8120
        downbeat play ~/Music party.m3u --shuffle --repeat list --gap 2
        downbeat play *.mid --soundfont FluidR3_GM.sf2 --gain -3dB
        downbeat play song.mid --audio hw:1 --map 3,4 --route 2=5,6 --route Bass=7,8
        downbeat play song.mid --input hw:2,channels=1,gain=-6dB
        downbeat play - --audio hw:1,0 --period 256 --periods 3 < song.mid
      """)

  @Argument(
    help: ArgumentHelp(
      "MIDI files, folders and playlists; - reads standard input.", valueName: "file"),
    completion: .songLists)
  var paths: [String] = []

  @OptionGroup(title: "Playlist") var list: ListOptions

  @OptionGroup(title: "Ports") var ports: PlayPortOptions

  @OptionGroup(title: "Playback") var flags: PlaybackFlags

  @OptionGroup(title: "Sync and clock outputs") var sync: SyncOptions

  @OptionGroup var device: OutputDeviceOptions

  @OptionGroup var inputs: InputOptions

  @OptionGroup var routes: RouteOptions

  @Flag(help: "Show level meters for the synthesiser's channels and the mix.")
  var meters = false

  @OptionGroup(title: "Terminal") var live: LiveOptions

  @OptionGroup(title: "Remote control") var control: ControlOptions

  @OptionGroup var web: WebOptions

  @OptionGroup var sound: SoundOptions
  @OptionGroup var voices: VoiceOptions
  @OptionGroup var reading: SongOptions
  @OptionGroup var report: JSONOption

  func validate() throws {
    guard !paths.isEmpty || list.resume else {
      throw ValidationError("Missing expected argument '<file> ...'")
    }
    try FontWord.refuse(in: paths)
    guard !ports.wait || ports.hasPorts || !serverNames.filter(AudioChoice.namesServer).isEmpty
    else {
      throw ValidationError(
        "--wait needs a port or a sound server (add --port, --virtual or --audio jack)")
    }
    guard !meters || ports.usesSynth else {
      throw ValidationError("--meters: the synthesiser is not used (add --synth)")
    }
    guard routes.route.isEmpty || ports.usesSynth else {
      throw ValidationError("--route: the synthesiser is not used (add --synth)")
    }
    guard inputs.input.isEmpty || ports.usesSynth else {
      throw ValidationError("--input: the synthesiser is not used (add --synth)")
    }
    try routes.check(beside: device.map)
    guard routes.route.isEmpty || sound.chains.isEmpty else {
      throw ValidationError(
        "--route: cannot be used with --instrument, --on or --bus")
    }
    guard sound.chains.isEmpty || ports.usesSynth else {
      throw ValidationError(
        "--instrument, --on, --bus: the synthesiser is not used (add --synth)")
    }
    guard !flags.isOffline else {
      throw ValidationError(
        "--sync offline: play always runs in real time"
          + " (to work offline: downbeat render SONG -o song.wav)")
    }
    try sync.check(flags.master)
    guard flags.master == nil || flags.leavesTransport && !list.resume else {
      throw ValidationError(
        "--sync: the master sets start, position and tempo (leave out --from, --ab, --loop,"
          + " --in-file-loops, --speed, --ramp, --count-in and --resume)")
    }
  }

  /// The names of devices and ports that may be of a sound server.
  private var serverNames: [String] {
    (ports.usesSynth ? [device.audio.text] + inputs.input.map(\.device) : []) + ports.port
      + [ports.virtualName, flags.master?.name].compactMap(\.self)
  }

  func askServers() { device.askForTurns(at: sound.rate.rate) }

  func run() throws {
    // Errors in these settings are reported before any device is opened.
    _ = try live.settings
    let signals = SignalWatch(whilePlaying: true, isLed: true)
    let loop = try RunLoop(signals)
    let connections = PlayConnections(
      server: try control.server(), telling: try sync.leads.openTelling(),
      web: try web.open(leads: true, isQuiet: reading.quiet), source: flags.master?.name ?? "")
    defer { connections.end() }
    var settings = ports.usesSynth ? try sound.settings(allowingNoFont: true) : nil
    voices.apply(to: &settings)
    settings?.hasChannelStrips = meters
    guard try routes.route.isEmpty || !sound.hasChains() else {
      throw Failure(
        .usage, "--route and a --graph that names tracks cannot be used together (leave one out)",
        options: ["--route", "--graph"])
    }
    if ports.wait { loop.waitForServers(for: serverNames) }
    let destinations = try ports.open(loop)
    let memory = SongMemoryFile(environment: Environment.variables)
    let place = list.resume ? memory?.read().place : nil
    let (songs, tally) = try list.songs(of: paths, from: place, isQuiet: reading.quiet)
    guard flags.master == nil || songs.count == 1 else {
      throw Failure(.usage, "--sync: only one file can follow a master (name one file)")
    }
    try JSONReport.begin([
      ("device", ports.usesSynth ? .text(device.audio.text) : .null),
      ("ports", PortReport.json(destinations?.targets ?? [])),
    ])
    var player = SongPlayer(
      options: self, songs: songs, settings: settings, destinations: destinations,
      connections: connections, loop: loop, tally: tally, memory: memory, resumingAt: place)
    try player.playAll()
  }
}
