// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
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

/// Plays the songs of a list, one after the other, on what was opened for them all.
struct SongPlayer {
  private let options: Play
  private let songs: SongQueue
  private let settings: SessionSettings?
  private let destinations: OutputPorts?
  private let connections: PlayConnections
  private let loop: RunLoop
  private var tally: Tally
  private let memory: SongMemoryFile?
  /// Where a list was left that is gone on with; nil once it is.
  private var place: SongMemory.Place?
  /// What named the songs.
  private let words: [String]
  /// The state in which the song before has left the ports; nil before the first.
  private var stateLeft: LeftState?
  /// Where all songs are shown; nil where none is, and before the first.
  private var display: LiveDisplay?

  /// Gets ready.
  ///
  /// - Parameters:
  ///   - options: what is asked for.
  ///   - songs: the songs.
  ///   - settings: what the synthesiser is made with; nil where none plays.
  ///   - destinations: the ports; nil where there are none.
  ///   - connections: the other programs that lead or are told.
  ///   - loop: the run loop.
  ///   - tally: the status of what is left out.
  ///   - memory: what is remembered; nil where nothing can be.
  ///   - place: where a list was left that is gone on with.
  init(
    _ options: Play, _ songs: SongQueue, _ settings: SessionSettings?,
    _ destinations: OutputPorts?, _ connections: PlayConnections, _ loop: RunLoop, _ tally: Tally,
    memory: SongMemoryFile?, from place: SongMemory.Place?
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

  /// Plays until the end of the list, or until a person ends it.
  ///
  /// A song that cannot be played is told and passed over; what would befall each of them ends all.
  ///
  /// - Throws: the status where it is not success, or what ended all.
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
        songs.giveUp()
      }
    }
    if tally.status != .success { throw tally.status }
  }

  /// Ends the process where a signal asks for that; gives the terminal back, and leaves signals to
  /// themselves, where the next song may be waited for, as one from a pipe.
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
    let settings = try settings.map { try options.sound.settings($0, for: [sequence]) }
    let key = SongMemory.key(of: song.bytes)
    let mode = options.sound.banks.bankMode
    let part = try PlaybackPart(
      sequence, options.flags, from: start(of: entry, key), in: mode)
    let outline = try SongOutline(
      part.sequence, named: song.name, titled: entry.title, end: part.endlessLoopEnd,
      decoder: TextDecoder(for: song.file.sequences), bankMode: mode)
    let (last, status) = try play(part, of: sequence, outline, named: song.name, key, settings)
    if songs.isRemembered { remember(entry, key, at: part.songTick(of: last)) }
    return max(song.status, status)
  }

  /// Where a song begins that was left; nil for any other, and where it is another by now.
  private mutating func start(of entry: SongEntry, _ key: String) -> Tick? {
    guard let place, entry.absolutePath == place.path else { return nil }
    self.place = nil
    guard key == place.key else {
      Terminal.report("--resume: \(entry.path) has changed since; from its beginning")
      return nil
    }
    return Tick(place.tick)
  }

  /// Remembers where the list is left.
  private func remember(_ entry: SongEntry, _ key: String, at tick: Tick) {
    guard let index = songs.index, entry.path != "-" else {
      return Terminal.report("standard input cannot be gone on with: nothing is remembered")
    }
    do {
      guard let memory else { throw Failure(.noOutput, "nothing is remembered: there is no $HOME") }
      try memory.edit { memory in
        memory.place = SongMemory.Place(
          words: words.count > SongMemory.mostWords ? [] : words, seed: songs.seed, index: index,
          path: entry.absolutePath, key: key, tick: max(0, tick.value))
      }
    } catch {
      Terminal.report("\(error)")
    }
  }

  /// Plays a song; returns where somebody has ended it, and whether everything was sent.
  private mutating func play(
    _ part: PlaybackPart, of song: MusicSequence, _ outline: SongOutline, named name: String,
    _ key: String, _ settings: SessionSettings?
  ) throws -> (last: Tick, ExitStatus) {
    // Before a device is opened for it.
    let apart = try options.routes.tracks(of: song)
    let output = try settings.map { _ in
      try options.device.open(
        rate: options.sound.rate, apart: options.routes.apart(in: song))
    }
    let settings = try settings.map {
      try options.sound.settings($0, at: output?.rate ?? $0.rate, for: part.sequence)
    }
    if let settings {
      options.sound.tellEngine(of: settings, isVerbose: options.device.verbose)
    }
    let chained = try settings.map {
      try ChainedSong(part.sequence, $0, options.sound, isLive: true)
    }
    let session = try chained.map {
      try Session(
        $0.sequence, settings: $0.settings, pads: options.sound.pads(at: $0.settings.rate),
        instruments: $0.instruments, apart: apart, registry: $0.registry)
    }
    let inputs = try output.map { try options.inputs.open(beside: $0) } ?? []
    for input in inputs { try session?.addInput(input.unit, gain: input.gain) }
    options.reading.tell(MissingSounds(session, chained), of: name)
    let (clocks, keeping) = try options.sync.open(
      for: part.sequence, following: options.flags.master, on: destinations?.system,
      jack: output?.jackOutput, waits: options.ports.wait, loop: loop,
      quiet: options.reading.quiet)
    loop.signals.holdForCleanUp()
    if let bytes = options.ports.reset.bytes(for: song) {
      try destinations?.send(sysEx: bytes)
      destinations?.drain(within: PlayRun.patience)
      stateLeft = nil
    }
    let targets = destinations?.destinations(through: options.flags.transform) ?? []
    display = try display ?? options.live.display(isQuiet: options.reading.quiet, loop.signals)
    let keeper = display?.takesKeys == true ? settingKeeper(of: key) : nil
    var starting = options.flags.options(for: part)
    // As it was set before from its first note on.
    starting.startsAtOnce = keeper?.isPlain ?? true
    // A synthesiser is another one for each song: what was set in the old one is not in force there.
    starting.stateLeft = stateLeft.map { session == nil ? $0 : LeftState($0.state, .unsure) }
    let playback =
      if let session, let output {
        try session.play(on: output.unit, ports: targets, options: starting, sync: clocks)
      } else {
        try Playback(part.sequence, on: targets, options: starting, sync: clocks)
      }
    let holdUps = playback.reportTrouble(isQuiet: options.reading.quiet)
    options.flags.accelerate(playback)
    let hasCables = destinations?.members.contains { $0.kind == .alsa } == true
    let delay = hasCables ? playback.restorationDelay : .zero
    if delay > .milliseconds(5), !options.reading.quiet {
      Terminal.report(
        "loop: on a MIDI cable the first notes of each pass wait \(Int((delay / .milliseconds(1)).rounded(.up))) ms"
          + " until its state is restored")
    }
    var run = PlayRun(
      playback: playback, ports: destinations, sync: keeping, loop: loop,
      songs: songs, isQuiet: options.reading.quiet)
    run.gap = options.list.gapNanoseconds
    run.plugins = PluginWatch(session?.graph, isQuiet: options.reading.quiet)
    run.device = output.map { DeviceWatch($0, inputs: inputs) }
    let controls = PlayControls(
      playback, session, outline, speed: options.flags.speed,
      transposition: options.flags.transpose, loop: part.loop, songs)
    controls.transport = keeping.transport
    (run.controls, run.connections) = (controls, connections)
    show(&run, controls, part, named: name, output, gain: settings?.gain ?? 1)
    if let keeper { try run.live?.take(keeper) }
    if !starting.startsAtOnce { playback.start() }
    defer { stateLeft = playback.stateLeft }
    try run.play()
    holdUps.tellRest()
    SoundTrouble(
      xruns: output?.xrunCount ?? 0, remedy: output?.remedy ?? "",
      refusedNotes: session?.refusedNoteCount ?? 0,
      shedVoices: session?.shedVoiceCount ?? 0, engine: options.sound.engine
    ).report(isQuiet: options.reading.quiet)
    return (run.lastTick, run.trouble.hasLost ? .partial : .success)
  }

  /// What remembers how a song is set; nil where nothing is to.
  private func settingKeeper(of key: String) -> SettingKeeper? {
    guard options.list.songSettings, options.flags.master == nil, let memory else { return nil }
    var typed: SettingKeeper.Typed = []
    if options.flags.transpose != 0 { typed.insert(.transposition) }
    if !options.flags.part.hasAllChannels { typed.insert(.channels) }
    if options.sound.gain != nil || options.sound.absoluteGain != nil { typed.insert(.volume) }
    return SettingKeeper(memory, key, typed: typed)
  }

  /// Gives a run what tells a person of it: a picture with keys, or lines.
  private func show(
    _ run: inout PlayRun, _ controls: PlayControls, _ part: PlaybackPart, named name: String,
    _ output: OutputDevice?, gain: Float
  ) {
    let isQuiet = options.reading.quiet
    guard !isQuiet || options.meters || JSONReport.isOn else { return }
    let (session, outline) = (controls.session, controls.outline)
    let meters = options.meters ? session.map { PlayMeters(session: $0, gain: gain) } : nil
    guard let display else {
      run.plain = PlainPlay(
        outline, named: name, from: part.start, meters: meters, isQuiet: isQuiet)
      return
    }
    run.live = LivePlay(
      display,
      PlayPicture(
        controls: controls, xrunCount: { output?.xrunCount ?? 0 },
        syncName: options.flags.master?.name ?? "",
        meters: meters, pages: connections.web?.addresses.leads ?? []))
    // What was said of it before lies under the picture.
    if let page = connections.web?.addresses.leads.first {
      display.messages.say("controlled at \(page)")
    }
  }
}

extension Failure {
  /// Whether the next song would fail as this one did: something of the machine is missing.
  fileprivate var isOfAllSongs: Bool {
    concernsMachine || [.noDevice, .ioError, .configuration, .internalError].contains(exitStatus)
  }
}
