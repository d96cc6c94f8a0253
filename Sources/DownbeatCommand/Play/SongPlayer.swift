// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import Downbeat
internal import MIDIPorts
internal import MusicSequences

/// Plays the songs of a list, one after the other, on what was opened for them all.
struct SongPlayer {
  private let options: Play
  private let songs: SongQueue
  private let settings: SessionSettings?
  private let destinations: OutputPorts?
  private let signals: SignalWatch
  private let wait: SignalWait
  private var tally: Tally

  /// Gets ready.
  ///
  /// - Parameters:
  ///   - options: what is asked for.
  ///   - songs: the songs.
  ///   - settings: what the synthesiser is made with; nil where none plays.
  ///   - destinations: the ports; nil where there are none.
  ///   - signals: what notes signals.
  ///   - wait: what waits for them.
  ///   - tally: the status of what is left out.
  init(
    _ options: Play, _ songs: SongQueue, _ settings: SessionSettings?,
    _ destinations: OutputPorts?, _ signals: SignalWatch, _ wait: SignalWait, _ tally: Tally
  ) {
    self.options = options
    self.songs = songs
    self.settings = settings
    self.destinations = destinations
    self.signals = signals
    self.wait = wait
    self.tally = tally
  }

  /// Plays until the end of the list, or until a person ends it.
  ///
  /// A song that cannot be played is told and passed over; what would befall each of them ends all.
  ///
  /// - Throws: the status where it is not success, or what ended all.
  mutating func playAll() throws {
    while let entry = songs.begin() {
      do {
        tally.add(try play(entry))
        songs.advance()
      } catch let failure as any FailureDescribing {
        let named = entry.failure(failure)
        guard songs.count > 1, !named.isOfAllSongs else { throw named }
        Terminal.report("\(named)")
        tally.add(named.exitStatus)
        songs.giveUp()
      }
    }
    if tally.status != .success { throw tally.status }
  }

  private func play(_ entry: SongEntry) throws -> ExitStatus {
    let song = try options.reading.read(entry.path)
    let sequence = try options.flags.sequence(of: song)
    let settings = try settings.map { try options.sound.settings($0, for: [sequence]) }
    try play(sequence, of: song.name, settings)
    return song.status
  }

  private func play(
    _ song: MusicSequence, of name: String, _ settings: SessionSettings?
  ) throws {
    let part = try PlaybackPart(song, options.flags)
    let output = try settings.map { try options.device.open(rate: $0.rate) }
    let session = try settings.map {
      try Session(part.sequence, settings: $0, pads: options.sound.pads())
    }
    options.reading.tell(session?.missingPresets ?? [], of: name)
    let (clocks, keeping) = try options.sync.open(
      for: part.sequence, on: destinations?.client, waits: options.ports.wait, signals: wait,
      quiet: options.reading.quiet)
    signals.holdForCleanUp()
    // The next song may come from a pipe, which may keep it waiting.
    defer { signals.release() }
    if let bytes = options.ports.reset.bytes(for: song) {
      try destinations?.send(sysEx: bytes)
      destinations?.drain(within: PlayRun.patience)
    }
    let targets = destinations?.destinations(through: options.flags.transform) ?? []
    let starting = options.flags.options(for: part)
    let playback =
      if let session, let output {
        try session.play(on: output, ports: targets, options: starting, sync: clocks)
      } else {
        try Playback(part.sequence, on: targets, options: starting, sync: clocks)
      }
    let holdUps = options.reading.quiet ? nil : playback.reportTrouble()
    options.flags.accelerate(playback)
    var run = PlayRun(
      playback: playback, ports: destinations, sync: keeping, signals: signals, wait: wait,
      songs: songs)
    run.gap = options.list.gapNanoseconds
    try show(&run, part, named: name, session, output, gain: settings?.gain ?? 1)
    try run.play()
    guard !options.reading.quiet else { return }
    holdUps?.tellRest()
    SoundTrouble(xruns: output?.xrunCount ?? 0, refusedNotes: session?.refusedNoteCount ?? 0)
      .report()
  }

  /// Gives a run what tells a person of it: a picture with keys, or lines.
  private func show(
    _ run: inout PlayRun, _ part: PlaybackPart, named name: String, _ session: Session?,
    _ output: ALSAOutputUnit?, gain: Float
  ) throws {
    guard !options.reading.quiet || options.meters else { return }
    let meters = options.meters ? session.map { PlayMeters(session: $0, gain: gain) } : nil
    let outline = try SongOutline(part.sequence, named: name)
    guard let display = options.live.display(isQuiet: options.reading.quiet, signals) else {
      run.plain = PlainPlay(outline, named: name, from: part.start, meters: meters)
      return
    }
    let controls = PlayControls(run.playback, session, outline, options.flags, loop: part.loop)
    run.live = LivePlay(
      display, outline, songs: songs, session: session, output: output,
      syncName: options.sync.sync?.name ?? "", controls: controls, meters: meters)
  }
}

extension Failure {
  /// Whether the next song would fail as this one did: something of the machine is missing.
  fileprivate var isOfAllSongs: Bool {
    concernsMachine || [.noDevice, .ioError, .configuration, .internalError].contains(exitStatus)
  }
}
