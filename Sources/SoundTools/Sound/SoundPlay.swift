// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import AudioProcessing
internal import ClipPlayback
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// The command `downbeat sound play`, which plays sound files and web streams.
struct SoundPlay: ReportingCommand, SoundingCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play sound files and web streams.",
    discussion: """
      Files play one after another without a gap. With --together, or with --at for each file, \
      files play at the same time; short files then play from memory, long files from disk. If \
      files or web addresses play one after another, keys and `downbeat ctl` control them as they \
      control songs.

      An address is a file on the web, a radio station, or a playlist of addresses (M3U, PLS); \
      local playlists work too. MP3, AAC, MP4, Ogg, FLAC, WAV and HLS play while they arrive, \
      also from a pipe; other formats are downloaded first. Lost connections are reopened. After \
      a gap more is received before the sound continues. An address can contain a user name and \
      password before the host; these are never shown. The environment variables CURL_CA_BUNDLE \
      and SSL_CERT_FILE can name a file of trusted certificates.

      EXAMPLES:
        downbeat sound play intro.wav song.flac
        downbeat sound play --loop 3 --from 1.5s --to 3s beat.wav
        downbeat sound play kick.wav snare.wav --at 0s --at 500ms
        arecord -f cd -d 5 | downbeat sound play - --speed 0.5
        downbeat sound play http://radio.example/live.mp3
        downbeat sound play http://radio.example/live.mp3 --to 1h --save show.mp3
        arecord -f cd | downbeat sound play -
        downbeat sound play jingle.wav https://radio.example/listen.pls
        downbeat sound play talk.mp3 --effect 'high-pass frequency=80Hz'
      """)

  @Argument(
    help: ArgumentHelp(
      "Sound files, folders or web addresses; - reads standard input.", valueName: "file"),
    completion: .sounds)
  var files: [String] = []

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Gain: decibels (-6dB, -6) or a factor (50%).",
    transform: { try Gain(typed: $0, for: "--gain ") })
  var gain = Gain(factor: 1)

  @Option(parsing: .unconditional, help: "Pan, -1 (left) to 1 (right).")
  var pan: Float = 0

  @Option(
    name: [.long, .customLong("rate")], parsing: .unconditional,
    help: "Speed, 0.25…4; the pitch changes with it.")
  var speed: Float = 1

  @Option(
    parsing: .unconditional, help: "Number of times to play each file; 0 is forever.")
  var loop: Int?

  @Option(
    parsing: .unconditional,
    help: "Start at this time in each file: 90s, 1:23.5, 48000smp.",
    transform: SongTime.init(parsing:))
  var from: SongTime?

  @Option(
    parsing: .unconditional, help: "End at this time in each file.",
    transform: SongTime.init(parsing:))
  var to: SongTime?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "Start time of a file; give one for each file, in the same order.",
    transform: SongTime.init(parsing:))
  var at: [SongTime] = []

  @Flag(
    help: """
      Continue from the position saved with key Q. If no files are given, play those that were \
      saved with it.
      """)
  var resume = false

  @Flag(help: "Play all files at the same time.")
  var together = false

  @Option(
    help: ArgumentHelp(
      "Save the bytes of a web address in this file; of a station until the end.",
      valueName: "file"), completion: .file())
  var save: String?

  @Flag(help: "Replace the file of --save if it exists.")
  var overwrite = false

  @Flag(name: [.short, .long], help: "Print only warnings and errors.")
  var quiet = false

  @Flag(help: "Play in another process, which continues if this one dies.")
  var completeIfProcessDies = false

  @OptionGroup var effects: EffectOptions

  @OptionGroup(title: "Terminal") var live: LiveOptions

  @OptionGroup(title: "Remote control") var control: ControlOptions

  @OptionGroup var device: DeviceOptions
  @OptionGroup var report: JSONOption

  func validate() throws {
    guard !files.isEmpty || resume else {
      throw ValidationError("Missing expected argument '<file> ...'")
    }
    guard !resume || isInTurn else {
      throw ValidationError("--resume: needs files played one after another (leave --resume out)")
    }
    guard (-1...1).contains(pan) else { throw ValidationError("--pan \(pan): not in -1…1") }
    guard (0.25...4).contains(speed) else {
      throw ValidationError(
        "--speed \(speed): not in 0.25…4 (to set the sample rate of the device: --sample-rate)")
    }
    guard save == nil || files.count == 1 && files[0] != "-" else {
      throw ValidationError("--save: needs exactly one web address")
    }
    guard save != nil || !overwrite else {
      throw ValidationError("--overwrite: works only with --save FILE")
    }
    if let loop, loop < 0 { throw ValidationError("--loop \(loop): must be 0 or more") }
    guard at.isEmpty || at.count == files.count else {
      throw ValidationError(
        "--at: \(at.count) start times, but \(files.count) files (give one time per file)")
    }
    try effects.check(rate: device.sampleRate.rate)
    guard !completeIfProcessDies || isPlain && at.isEmpty && effects.isEmpty && !files.contains("-")
    else {
      throw ValidationError(
        "--complete-if-process-dies: works for files only; of the options that change the sound, "
          + "only --gain and --pan are allowed with it")
    }
    guard control.ipc == nil || isInTurn else {
      throw ValidationError("--ipc: needs files played one after another (leave --ipc out)")
    }
    if !isInTurn {
      try device.output.checkLoss(
        [.move, .wait, .stop], "files played at the same time cannot be paused")
    }
    guard control.osc == nil || isInTurn else {
      throw ValidationError("--osc: needs files played one after another (leave --osc out)")
    }
  }

  /// True if each file is played once, from start to end, and at its normal speed.
  var isPlain: Bool { loop == nil && speed == 1 && from == nil && to == nil }

  /// True if web streams can be played: once, at their normal speed, and one after another.
  var isStreamable: Bool { loop == nil && speed == 1 && isInTurn }

  /// True if the files are played one after another.
  var isInTurn: Bool { !completeIfProcessDies && !together && at.isEmpty }

  func askServers() { device.output.askForTurns(at: device.sampleRate.rate) }

  func run() throws {
    let memory = SongMemoryFile(environment: Environment.variables)
    let place = resume ? memory?.read().soundPlace : nil
    var resumed = self
    if files.isEmpty { resumed.files = place?.words ?? [] }
    guard !resumed.files.isEmpty else {
      throw Failure(.usage, "--resume: no position was saved with key Q (name the files to play)")
    }
    let isComplete: Bool
    (resumed, isComplete) = try resumed.expandingFolders()
    if let streams = try StreamChoice(resumed.files, takesPipes: isStreamable && !resume) {
      guard !resume else {
        throw Failure(.usage, "--resume: cannot be used with web addresses or playlists")
      }
      let readable = try ReadableFiles(streams.items.map(\.path))
      try resumed.play(streams.keeping(readable.indices))
      guard isComplete, readable.isComplete else { throw ExitStatus.partial }
    } else {
      guard save == nil else { throw Failure(.usage, "--save: needs a web address") }
      let readable = try ReadableFiles(resumed.files.map { $0 == "-" ? nil : $0 })
      try resumed.keeping(readable.indices).play(from: place, memory)
      guard isComplete, readable.isComplete else { throw ExitStatus.partial }
    }
  }

  /// Returns the command with some of its files, and their times.
  private func keeping(_ indices: [Int]) -> Self {
    var kept = self
    kept.files = indices.map { files[$0] }
    if !at.isEmpty { kept.at = indices.map { at[$0] } }
    return kept
  }

  private func play(from place: SongMemory.SoundPlace?, _ memory: SongMemoryFile?) throws {
    let signals = SignalWatch(whilePlaying: true, isLed: true)
    let opened = completeIfProcessDies ? nil : try device.open()
    let output = opened?.unit ?? device.none()
    let mix = SoundMix(
      output, through: try effects(at: output.format.rate), program: program, report: Self.tell)
    mix.device = opened.map { DeviceWatch($0) }
    var items: [SoundControls.Item] = []
    try fill(mix, output.format.rate, &items, from: place)
    try JSONReport.begin([("device", .text(opened?.name ?? device.output.audio.text))])
    let controlled = try controlled(mix, items, signals)
    if controlled == nil { reportTogether() }
    try mix.play(until: signals, controlled)
    if let controls = controlled?.controls, controls.state.isPlaceKept {
      keep(controls.place, in: memory)
    }
    if mix.failureCount > 0 { throw Self.cannotPlayOn }
    if mix.underrunCount > 0 {
      JSONReport.tell("disk-underruns", [("count", .integer(mix.underrunCount))])
      Terminal.report("the disk was too slow: the sound had dropouts")
    }
    if mix.shortCount > 0 {
      Terminal.report("a file ended early: it is shorter than its header states")
    }
    if mix.shortCount + mix.cutOffCount > 0 { throw ExitStatus.partial }
  }

  /// Returns the effects for the whole sound; nil for none.
  func effects(at rate: SampleRate) throws -> SoundEffects? {
    try effects.effects(rate: rate, "a sound file does not contain tracks")
  }

  /// The controls of files that play one after another; nil for files that play at the same time.
  private func controlled(
    _ mix: SoundMix, _ items: [SoundControls.Item], _ signals: SignalWatch
  ) throws -> ControlledSound<SoundControls>? {
    guard isInTurn, let player = mix.onlyPlayer else { return nil }
    let controls = SoundControls(player, items)
    let display = try live.display(isQuiet: quiet, signals)
    return ControlledSound(
      controls, server: try control.server(),
      live: display.map { LiveSound(frame: LiveFrame($0), controls: controls) },
      lines: display == nil && !quiet ? items.map(line) : [])
  }

  /// The line at the start of a file: its name, and its length or the part that is played.
  private func line(_ item: SoundControls.Item) -> String {
    let name = item.name == "-" ? "standard input" : item.name
    guard let end = item.end?.lengthText else { return "playing \(name)" }
    guard from != nil || to != nil else { return "playing \(name), \(end)" }
    return "playing \(name), \(Int64(item.start).clockText) to \(end)"
  }

  /// Reports files that play at the same time.
  private func reportTogether() {
    guard !quiet else { return }
    let names = files.count == 1 ? files[0] : "\(files.count) files at the same time"
    Terminal.report("playing \(names)")
  }

  private static let cannotPlayOn = Failure(
    .failure,
    "--complete-if-process-dies: the other process failed (play without this option to see why)")

  /// This program, to be started again without the flag that would start another process.
  private var program: DetachedProgram? {
    guard completeIfProcessDies else { return nil }
    return DetachedProgram([Environment.executable, "sound", "play"] + device.words)
  }

  private func fill(
    _ mix: SoundMix, _ rate: SampleRate, _ items: inout [SoundControls.Item],
    from place: SongMemory.SoundPlace?
  ) throws {
    let starts = try at.map { try $0.frame(in: MusicSequence(), rate: rate) }
    if !isInTurn {
      for (index, file) in files.enumerated() {
        let start = starts.isEmpty ? 0 : starts[index]
        if let clip = try clip(file, rate) {
          mix.tell(clip.shortfall, of: file)
          try mix.add(clip, at: start, gain: gain.factor, pan: pan)
        } else {
          try mix.add(player([file], rate, mix, &items), named: file, at: start)
        }
      }
    } else {
      let player = try player(files, rate, mix, &items)
      if let place { locate(player, to: place, items) }
      mix.add(player, named: files.joined(separator: ", "), at: 0)
    }
  }

  /// Moves a player to the position at which it was left.
  private func locate(
    _ player: AudioPlayer, to place: SongMemory.SoundPlace, _ items: [SoundControls.Item]
  ) {
    guard let index = place.index(in: files) else {
      return Terminal.report(
        "--resume: \(place.path) is not in this list; starting with the first file")
    }
    let frame = place.milliseconds.multipliedReportingOverflow(by: Int64(items[index].rate.hertz))
    guard !frame.overflow else { return }
    player.locate(to: SampleTime(frames: frame.partialValue / 1000), item: index)
  }

  /// Saves the position for --resume.
  private func keep(_ place: SoundControls.Place, in memory: SongMemoryFile?) {
    do {
      guard let memory else {
        throw Failure(.noOutput, "the position is not saved: HOME is not set")
      }
      guard !files.contains("-") else {
        throw Failure(.usage, "the position is not saved: standard input cannot be resumed")
      }
      let paths = files.map(SongEntry.absolute)
      try memory.edit {
        $0.soundPlace = SongMemory.SoundPlace(
          words: paths.count > SongMemory.mostWords ? [] : paths, index: place.item,
          path: paths[place.item], milliseconds: Int64(max(0, place.seconds * 1000)))
      }
      guard !quiet else { return }
      let again = paths.count > SongMemory.mostWords ? " and the same files" : ""
      Terminal.report(
        "\(files[place.item]): position \(Int64(max(0, place.seconds)).clockText) is saved"
          + " (to continue: downbeat sound play --resume\(again))")
    } catch {
      Terminal.report("\(error)")
    }
  }

  /// Returns a file that was read into memory, if it is short and plays without changes; nil
  /// otherwise.
  private func clip(_ file: String, _ rate: SampleRate) throws -> SystemSound? {
    guard isPlain, file != "-" else { return nil }
    do {
      let clip = try SystemSound(path: file, rate: rate)
      clip.completesIfProcessDies = completeIfProcessDies
      return clip
    } catch {
      if case .tooLong = error, !completeIfProcessDies { return nil }
      throw error
    }
  }

  private func player(
    _ files: [String], _ rate: SampleRate, _ mix: SoundMix, _ items: inout [SoundControls.Item]
  ) throws -> AudioPlayer {
    let player = AudioPlayer(rate: rate)
    player.gain = gain.factor
    player.pan = pan
    player.speed = speed
    for file in files {
      let reader = try SoundSource(file).open()
      mix.tell(reader.shortfall, of: reader.path)
      let range = try SoundPart(from, to).frames(of: reader).map {
        SampleTime(frames: $0.lowerBound)..<SampleTime(frames: $0.upperBound)
      }
      items.append(Self.item(file, reader, range))
      try player.append(reader, range: range, repeats: loop.map { $0 == 0 ? nil : $0 - 1 } ?? 0)
    }
    return player
  }

  private static func item(
    _ file: String, _ reader: borrowing SoundFileReader, _ range: Range<SampleTime>?
  ) -> SoundControls.Item {
    let rate = Double(reader.rate.hertz)
    let isKnown = reader.frameCount != .max
    let end = min(range?.upperBound.frames ?? .max, isKnown ? Int64(reader.frameCount) : .max)
    return SoundControls.Item(
      name: file, start: Double(range?.lowerBound.frames ?? 0) / rate,
      end: end == .max ? nil : Double(end) / rate, rate: reader.rate)
  }

  /// Reports the end of a sound as JSON.
  private static func tell(_ name: String, _ end: ClipEnd) {
    let members: JSONReport.Members = [
      ("v", 1), ("type", "clipEnd"), ("file", .path(name)), ("reason", .text("\(end.reason)")),
      ("frame", .integer(Int(end.frame.frames))), ("host", .integer(Int(DeadlineWait.now))),
    ]
    if JSONReport.isOn { Terminal.note(JSONValue.object(members)) }
  }
}
