// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import JACKAudio
internal import MIDIPorts
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import PortTools

/// Plays the songs of a list, one after another, on the same ports.
struct SongPlayer {
  private let options: Play
  private let songs: SongQueue
  private let settings: SessionSettings?
  private let destinations: OutputPorts?
  private let connections: PlayConnections
  private let loop: RunLoop
  private var tally: Tally
  private let memory: SongMemoryFile?
  /// The saved position at which the list is resumed; nil after it was used.
  private var place: SongMemory.Place?
  /// The words of the command line that name the songs, or those of the resumed list.
  private let words: [String]
  /// The state in which the previous song left the ports; nil before the first song.
  private var stateLeft: LeftState?
  /// The display for all songs; nil without one, and before the first song.
  private var display: LiveDisplay?

  /// A song that was read.
  private struct LoadedSong {
    let part: PlaybackPart
    let sequence: MusicSequence
    let outline: SongOutline
    let name: String
    /// The key under which its settings and its position are saved.
    let key: String
  }

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - options: The options of the command.
  ///   - songs: The songs.
  ///   - settings: The settings of the synthesiser; nil if it is not used.
  ///   - destinations: The ports; nil for none.
  ///   - connections: The programs that control or observe the player.
  ///   - loop: The run loop.
  ///   - tally: The status of the songs that were omitted.
  ///   - memory: The file of saved settings and positions; nil if HOME is not set.
  ///   - place: The saved position at which the list is resumed; nil to start with the first song.
  init(
    options: Play, songs: SongQueue, settings: SessionSettings?, destinations: OutputPorts?,
    connections: PlayConnections, loop: RunLoop, tally: Tally, memory: SongMemoryFile?,
    resumingAt place: SongMemory.Place?
  ) {
    self.options = options
    self.songs = songs
    self.settings = settings
    self.destinations = destinations
    self.connections = connections
    self.loop = loop
    self.tally = tally
    self.memory = memory
    self.place = place
    words = options.paths.isEmpty ? place?.words ?? [] : options.paths.map(SongEntry.absolute)
  }

  /// Plays until the end of the list, or until the user ends it.
  ///
  /// A song that cannot be played is reported and skipped. An error that every song would have ends
  /// the list.
  ///
  /// - Throws: The status if it is not success, or the error that ended the list.
  mutating func playAll() throws {
    defer { display?.leave() }
    while let entry = songs.begin() {
      rest(before: entry)
      do {
        tally.add(try play(entry))
        songs.advance()
      } catch let failure as any FailureDescribing {
        loop.signals.settle()
        let named = entry.failure(failure)
        guard songs.count > 1, !named.isOfAllSongs else { throw named }
        Terminal.report("\(named)")
        JSONReport.refuse(named, file: entry.path)
        tally.add(named.exitStatus)
        songs.markUnplayable()
      }
    }
    if tally.status != .success { throw tally.status }
  }

  /// Ends the process if a signal was received.
  ///
  /// Before a song that may have to wait, such as one from a pipe, this restores the terminal and
  /// the default handling of signals.
  private func rest(before entry: SongEntry) {
    guard let display else { return loop.signals.release() }
    let mayWait = options.ports.wait || !entry.isFile
    guard mayWait || loop.signals.signal.map({ $0 != SIGTSTP }) == true else { return }
    display.leave()
    loop.signals.release()
  }

  private mutating func play(_ entry: SongEntry) throws -> ExitStatus {
    let song = try options.reading.read(entry.path)
    let sequence = try options.flags.sequence(of: song)
    options.reading.tellPorts(of: sequence, named: song.name)
    let settings = try settings.map { settings in
      try options.sound.settings(
        options.sound.settings(settings, of: song, isQuiet: options.reading.quiet),
        for: [sequence])
    }
    let key = SongMemory.key(of: song.bytes)
    let mode = options.sound.banks.bankMode
    let part = try PlaybackPart(
      sequence, named: song.name, options.flags, from: start(of: entry, key), in: mode)
    let outline = try SongOutline(
      part.sequence, named: song.name, titled: entry.title, end: part.endlessLoopEnd,
      decoder: TextDecoder(for: song.file), texts: song.file.wrapper.map(WrapperTexts.init),
      bankMode: mode)
    let loaded = LoadedSong(
      part: part, sequence: sequence, outline: outline, name: song.name, key: key)
    let (last, status) = try play(
      loaded,
      SongSound(options, settings, for: part, of: sequence, named: song.name))
    if songs.isRemembered {
      let tick = part.songTick(of: last)
      remember(entry, key, at: tick, Int64(outline.seconds(at: tick)).clockText)
    }
    return max(song.status, status)
  }

  /// Returns the saved position of a song; nil for other songs, and if the song has changed.
  private mutating func start(of entry: SongEntry, _ key: String) -> Tick? {
    guard let place, entry.absolutePath == place.path else { return nil }
    self.place = nil
    guard key == place.key else {
      Terminal.report("--resume: \(entry.path) has changed; playing from its beginning")
      return nil
    }
    return Tick(place.tick)
  }

  /// Saves the position at which the user left the list, and reports it.
  private func remember(_ entry: SongEntry, _ key: String, at tick: Tick, _ time: String) {
    guard let index = songs.index, entry.path != "-" else {
      return Terminal.report("position not saved: standard input cannot be resumed")
    }
    do {
      guard let memory else { throw Failure(.noOutput, "position not saved: HOME is not set") }
      try memory.edit { memory in
        memory.place = SongMemory.Place(
          words: words.count > SongMemory.mostWords ? [] : words, seed: songs.seed, index: index,
          path: entry.absolutePath, key: key, tick: max(0, tick.value))
      }
      guard !options.reading.quiet else { return }
      let files = words.count > SongMemory.mostWords ? " and the same files" : ""
      Terminal.report(
        "\(entry.path): position \(time) is saved (to continue: downbeat play --resume\(files))")
    } catch {
      Terminal.report("\(error)")
    }
  }

  /// Plays a song.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - sound: The device and the session that play it.
  /// - Returns: The position at its end, and the status, which is `partial` if events were lost.
  /// - Throws: The error of a clock, a port or the playback.
  private mutating func play(
    _ song: LoadedSong, _ sound: SongSound
  ) throws -> (last: Tick, ExitStatus) {
    let isQuiet = options.reading.quiet
    let (clocks, keeping) = try options.sync.open(
      for: song.part.sequence, following: options.flags.master, on: destinations?.system,
      jack: sound.output?.jackOutput, waits: options.ports.wait, loop: loop, quiet: isQuiet)
    loop.signals.holdForCleanUp()
    try resetPorts(for: song.sequence)
    display = try display ?? options.live.display(isQuiet: isQuiet, loop.signals)
    let keeper = display?.takesKeys == true ? settingKeeper(of: song.key) : nil
    var starting = startOptions(of: song.part, on: sound)
    // The saved settings must apply from the first note.
    starting.startsAtOnce = keeper?.isPlain ?? true
    let playback = try playback(of: song.part, on: sound, starting, clocks)
    let holdUps = playback.reportTrouble(isQuiet: isQuiet)
    options.flags.accelerate(playback)
    reportRestorationDelay(of: playback)
    var run = run(playback, keeping, sound)
    let controls = PlayControls(
      playback, sound.session, song.outline, speed: options.flags.speed,
      transposition: options.flags.transpose, loop: song.part.loop, songs)
    controls.transport = keeping.transport
    controls.ramp = options.flags.ramp
    (run.controls, run.connections) = (controls, connections)
    show(&run, controls, song, sound)
    if let keeper { try run.live?.take(keeper) }
    if !starting.startsAtOnce { playback.start() }
    defer { stateLeft = playback.stateLeft }
    try run.play()
    holdUps.tellRest()
    sound.trouble(options).report(isQuiet: isQuiet)
    return (run.lastTick, run.trouble.hasLost ? .partial : .success)
  }

  /// Sends the reset of `--reset` to the ports, if there is one for the song.
  private mutating func resetPorts(for song: MusicSequence) throws {
    guard let bytes = options.ports.reset.bytes(for: song) else { return }
    try destinations?.send(sysEx: bytes)
    destinations?.drain(within: PlayRun.patience)
    stateLeft = nil
  }

  /// Returns the options for the start of a song.
  private func startOptions(of part: PlaybackPart, on sound: SongSound) -> PlaybackOptions {
    var starting = options.flags.options(for: part)
    starting.playsToEnd = true
    // Each song uses a new synthesiser, which does not have the settings of the previous song.
    starting.stateLeft = stateLeft.map {
      sound.session == nil ? $0 : LeftState($0.state, .unsure)
    }
    return starting
  }

  private func playback(
    of part: PlaybackPart, on sound: SongSound, _ starting: PlaybackOptions, _ clocks: ClockSync
  ) throws -> Playback {
    let targets = destinations?.destinations(through: options.flags.transform) ?? []
    guard let session = sound.session, let output = sound.output else {
      return try Playback(part.sequence, on: targets, options: starting, sync: clocks)
    }
    return try session.play(on: output.unit, ports: targets, options: starting, sync: clocks)
  }

  /// Reports the time that notes wait for a slow MIDI cable at each pass of a loop, if it is above
  /// 5 ms.
  private func reportRestorationDelay(of playback: Playback) {
    let hasCables = destinations?.members.contains { $0.kind == .alsa } == true
    let delay = hasCables ? playback.restorationDelay : .zero
    guard delay > .milliseconds(5), !options.reading.quiet else { return }
    let milliseconds = Int((delay / .milliseconds(1)).rounded(.up))
    Terminal.report(
      "loop: on a MIDI cable the first notes of each pass wait \(milliseconds) ms"
        + " while controllers and programs are restored")
  }

  private func run(_ playback: Playback, _ keeping: PlaySync, _ sound: SongSound) -> PlayRun {
    let isQuiet = options.reading.quiet
    var run = PlayRun(
      playback: playback, ports: destinations, sync: keeping, loop: loop, songs: songs,
      isQuiet: isQuiet)
    run.gap = options.list.gapNanoseconds
    run.plugins = PluginWatch(sound.session?.graph, isQuiet: isQuiet)
    run.device = sound.output.map { DeviceWatch($0, inputs: sound.inputs) }
    return run
  }

  /// Returns the keeper of a song's settings; nil if they are not saved.
  private func settingKeeper(of key: String) -> SettingKeeper? {
    guard options.list.remember, options.flags.master == nil, let memory else { return nil }
    var typed: SettingKeeper.Typed = []
    if options.flags.transpose != 0 { typed.insert(.transposition) }
    if !options.flags.part.hasAllChannels { typed.insert(.channels) }
    if options.sound.gain != nil || options.sound.absoluteGain != nil { typed.insert(.volume) }
    return SettingKeeper(memory, key, typed: typed)
  }

  /// Returns true if options, or a saved position, select a part of the song.
  private func isPart(_ song: LoadedSong) -> Bool {
    song.part.start > .zero || options.flags.to != nil || options.flags.ab != nil
  }

  /// Sets the output of a run: a display with keys, or plain lines.
  private func show(
    _ run: inout PlayRun, _ controls: PlayControls, _ song: LoadedSong, _ sound: SongSound
  ) {
    let isQuiet = options.reading.quiet
    guard !isQuiet || options.meters || JSONReport.isOn else { return }
    let gain = sound.settings?.gain ?? 1
    let meters =
      options.meters ? controls.session.map { PlayMeters(session: $0, gain: gain) } : nil
    guard let display else {
      run.plain = PlainPlay(
        controls.outline, named: song.name, from: song.part.start, isCut: song.part.isCut,
        isPart: isPart(song), meters: meters, isQuiet: isQuiet)
      return
    }
    run.live = LivePlay(
      display,
      PlayPicture(
        controls: controls, xrunCount: { [output = sound.output] in output?.xrunCount ?? 0 },
        syncName: options.flags.master?.name ?? "",
        meters: meters, pages: connections.web?.addresses.leads ?? []))
    // The display covers the lines that were printed before.
    if let page = connections.web?.addresses.leads.first {
      display.messages.say("control page: \(page)")
    }
  }
}

extension Failure {
  /// True if every song would fail in the same way, because of a problem of the computer.
  fileprivate var isOfAllSongs: Bool {
    concernsMachine || [.noDevice, .ioError, .configuration, .internalError].contains(exitStatus)
  }
}
