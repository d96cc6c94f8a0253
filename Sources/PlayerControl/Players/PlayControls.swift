// SPDX-License-Identifier: Apache-2.0
internal import ClockService
public import Downbeat
package import JACKAudio
internal import MIDIMessages
internal import MusicSequences
public import MusicalTime
internal import Realtime

/// Controls the playback of a song: performs commands, and reports the status.
///
/// ```swift
/// let songs = SongQueue(paths: ["song.mid"])
/// let controls = try PlayControls(playback, session, songs: songs)
/// try controls.execute(.setTempo(Tempo(beatsPerMinute: 90)))
/// ```
///
/// - Note: One thread at a time.
public final class PlayControls: ControlTarget {
  /// The kind of player: a song.
  public static let kind = PlayStatus.Kind.song
  /// The commands that a song accepts: all except `ControlVerb.program`.
  public static let verbs = ControlVerb.allCases.filter { $0 != .program }

  package static let slowest = Ratio(1, over: 10)
  package static let fastest: Ratio = 8
  /// The maximum volume in decibels.
  package static let loudest = 12.0
  /// The minimum volume in decibels.
  static let softest = -60.0
  /// The maximum transposition in semitones, up and down.
  static let farthest = 48
  /// The time for a command itself, in addition to the latency of the output.
  private static let handling = Duration.milliseconds(120)

  /// The playback.
  public let playback: Playback
  /// The session that plays the song; nil if only ports play it.
  public let session: Session?
  package let outline: SongOutline
  /// The queue of songs.
  public let songs: SongQueue
  /// The index of this song in the queue, counted from 0.
  public let index: Int

  /// The JACK transport that the song follows, so that start, stop and locate apply to all programs
  /// of the server; nil for none.
  package var transport: JACKTransport?
  /// The speed as a factor, 1/10…8; 1 is as written.
  public private(set) var speed: Ratio
  /// The constant tempo set by taps or a command; nil for the tempo of the song.
  package private(set) var constantTempo: Tempo?
  /// True if a constant tempo was set.
  package var isTapped: Bool { constantTempo != nil }
  /// The increase of the speed with each loop pass, as a fraction of the speed; 0 for none.
  package var ramp: Ratio = 0
  /// The transposition in semitones, −48…48.
  public private(set) var transposition: Int
  package private(set) var channels = HeardChannels()
  /// The selected channel as an index of the song's channels; nil for none.
  package private(set) var selected: Int?
  package private(set) var first: Tick?
  package private(set) var last: Tick?
  /// The result or the error of the last command, for the user.
  public var message = ""
  private(set) var state = PlayerState<Tick>()
  private var taps = TempoTap()

  package init(
    _ playback: Playback, _ session: Session?, _ outline: SongOutline,
    speed: Ratio, transposition: Int, loop: LoopRange?, _ songs: SongQueue
  ) {
    (self.songs, index) = (songs, songs.index ?? 0)
    self.playback = playback
    self.session = session
    self.outline = outline
    (self.speed, self.transposition) = (speed, transposition)
    (first, last) = (loop?.start, loop?.end)
  }

  /// Creates the controls of the current song of a queue.
  ///
  /// Speed, transposition and loop are taken from the playback.
  ///
  /// - Parameters:
  ///   - playback: The playback of the song.
  ///   - session: The session of the playback, for volume, voices and level; nil for ports only.
  ///   - songs: The queue with this song as the current one. Commands can move it to another.
  /// - Throws: `SequenceError` or `TimeError` if the times of the song do not fit 64 bits.
  /// - Complexity: O(n log n) in the events of the song.
  public convenience init(_ playback: Playback, _ session: Session? = nil, songs: SongQueue) throws
  {
    let song = songs.current ?? SongEntry(path: "")
    let outline = try SongOutline(
      playback.sequence, named: song.fileName, titled: song.title)
    self.init(
      playback, session, outline, speed: playback.playRate, transposition: playback.transposition,
      loop: playback.loop, songs)
  }

  /// True if a command paused the song.
  public var isPaused: Bool { state.isPaused }
  /// The volume in decibels, −60…12; 0 is the gain of the session's settings.
  public var volume: Double { state.volume }

  /// The settings of the song that can be saved and restored.
  package var setting: SongMemory.Setting {
    .init(transposition: transposition, channels: channels, volume: volume)
  }

  /// Restores settings.
  ///
  /// - Throws: `PlaybackError` for an unknown destination, which was already checked for the song.
  package func take(_ setting: SongMemory.Setting) throws {
    try restore(setting)
    message = "restored: \(setting) (Backspace resets)"
  }

  private func restore(_ setting: SongMemory.Setting) throws {
    try transpose(to: setting.transposition)
    try setHeard(setting.channels)
    if session != nil { try setVolume(setting.volume) }
  }

  /// Returns true if a song accepts the command.
  public static func takes(_ command: PlayCommand) -> Bool {
    command.verb.map(verbs.contains) ?? true
  }

  /// Moves to a fraction of the song, 0…1; an error is only stored in `message`.
  package func go(to part: Double) {
    do {
      message = ""
      try locate(to: outline.tick(atSeconds: part * outline.seconds))
    } catch {
      message = "\(error)"
    }
  }

  /// Returns 120 ms plus the latency for commands that start, stop or locate; nil for others.
  public func leadTime(of command: PlayCommand) -> Duration? {
    switch command {
    case .togglePause, .setPaused, .stop, .locate, .skipSeconds, .skipBars, .skipMarkers, .restart:
      Self.handling + .nanoseconds(playback.snapshot.base?.delay ?? 0)
    default: nil
    }
  }

  /// Performs a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - time: The time at which the effect must be audible; nil for as soon as possible.
  /// - Throws: `ControlError`; `ClockError` if the song follows a master; `TimeError` or
  ///   `SequenceError` for a position that the song does not have.
  public func perform(_ command: PlayCommand, at time: HostTime?) throws {
    switch command {
    case .togglePause: try setPaused(transport == nil ? !isPaused : playback.isRunning, at: time)
    case .setPaused(let pauses): try setPaused(pauses, at: time)
    case .stop: try stop(at: time)
    case .locate(let place): try locate(to: place, at: time)
    case .skipSeconds(let seconds):
      try locate(to: outline.tick(atSeconds: outline.seconds(at: here) + Double(seconds)), at: time)
    case .skipBars(let count): try locate(to: outline.tick(bars: count, from: here), at: time)
    case .skipMarkers(let step): try goToMarker(step, at: time)
    case .restart: try locate(to: .zero, at: time)
    case .skipFiles(let step): if step < 0 { songs.previous() } else { songs.next() }
    case .goToFile(let index): try goTo(index)
    case .setRepetition(let repetition): songs.repetition = repetition
    case .quit: songs.quit()
    case .quitToResume: songs.quit(remembering: true)
    case .changeSpeed(let percent): try setSpeed(speed + Ratio(Int64(percent), over: 100))
    case .multiplySpeed(let above, let below): try setSpeed(speed * Ratio(above, over: below))
    case .setSpeed(let factor): try setSpeed(factor)
    case .resetSpeed: try endTapping()
    case .resetAll: try resetAll()
    case .tap: try tap()
    case .setTempo(let tempo): try setTempo(tempo)
    case .changeTransposition(let step): try transpose(to: transposition + step)
    case .setTransposition(let semitones): try transpose(to: semitones)
    case .changeVolume(let step): try setVolume(volume + Double(step))
    case .setVolume(let decibels): try setVolume(decibels)
    case .panic: try panic()
    default: try performOnParts(command)
    }
  }

  /// Performs commands about channels and loops.
  private func performOnParts(_ command: PlayCommand) throws {
    let chosen = selected.map { outline.channels[$0].place }
    if let wanted = try channels.changed(by: command, chosen: chosen) {
      return try setHeard(wanted)
    }
    switch command {
    case .selectChannel(let step): select(step)
    case .cycleLoop: try loopPart()
    case .toggleSongLoop: try loopSong()
    case .setLoop(let first, let last): try setLoop(first, last)
    case .endLoop: try endLoop()
    default: break
    }
  }

  private func goTo(_ index: Int) throws {
    guard songs.go(to: index) else {
      throw ControlError(
        .usage, "file \(index + 1): not in the list, which has \(songs.count.counted("file"))")
    }
  }

  /// The audible position, or that of the last locate while the output may still play the old one.
  package var here: Tick {
    state.pendingPlace ?? min(max(playback.position().tick, .zero), outline.length)
  }

  private func locate(to place: SeekTime, at time: HostTime?) throws {
    let sequence = playback.sequence
    let (tick, isPastEnd) = try place.target(from: here, in: sequence, outline.decoder)
    try locate(to: tick, at: time)
    if isPastEnd { message = SeekTime.pastEnd(outline.seconds(at: tick)) }
  }

  private func locate(to tick: Tick, at time: HostTime? = nil) throws {
    // The end of the loop is outside of it, so the tick before is used.
    let tick = tick == last ? tick.advanced(by: -1) : tick
    if let transport {
      try transport.locate(to: playback.sequence.tempoMap.seconds(at: tick))
    } else {
      // While paused, the locate is inaudible, so it is done now, before a start at that time.
      try playback.locate(to: tick, at: isPaused ? nil : time)
    }
    state.locate(to: tick, at: time)
  }

  private func goToMarker(_ step: Int, at time: HostTime?) throws {
    let marker = step > 0 ? outline.marker(after: here) : outline.marker(before: here)
    guard let marker else {
      if step < 0 { return try locate(to: .zero, at: time) }
      message = outline.markers.isEmpty ? "no markers in this song" : "no later marker"
      return
    }
    try locate(to: marker.tick, at: time)
    message = marker.name
  }

  private func setPaused(_ pauses: Bool, at time: HostTime? = nil) throws {
    if let transport {
      return pauses ? transport.stop() : transport.start()
    }
    guard playback.snapshot.mode == .alone else { throw ClockError.follows("start and stop") }
    guard pauses != isPaused else { return }
    state.isPaused = pauses
    if pauses { playback.stop(at: time) } else { try start(at: time) }
  }

  /// Starts the playback with the constant tempo, because the clock forgets a tempo when it stops.
  ///
  /// - Throws: `ClockError` if the tempo is not valid, which was checked when it was set.
  package func start(at time: HostTime? = nil) throws {
    playback.start(at: time)
    if let constantTempo { try playback.setTempo(constantTempo) }
  }

  private func stop(at time: HostTime?) throws {
    try setPaused(true, at: time)
    try locate(to: .zero)
    state.isStopped = true
  }

  private func endTapping() throws {
    if isTapped, !isPaused { try playback.setTempo(nil) }
    constantTempo = nil
    try setSpeed(1)
  }

  private func resetAll() throws {
    try endTapping()
    try restore(SongMemory.Setting())
    message = "playing the song as written"
  }

  private func setSpeed(_ factor: Ratio) throws {
    let wanted = min(max(factor, Self.slowest), Self.fastest)
    try playback.setPlayRate(wanted)
    speed = wanted
    message = "speed \(try speedText)"
  }

  /// The speed in percent.
  private var speedText: String {
    get throws { "\(try (speed * 100).decimal(0)) %" }
  }

  private func tap() throws {
    guard let tempo = taps.tap(at: HostTime(nanoseconds: DeadlineWait.now)) else {
      message = "tap again"
      return
    }
    try setTempo(tempo)
  }

  private func setTempo(_ tempo: Tempo) throws {
    // The speed would multiply the tempo.
    if speed != 1 { try setSpeed(1) }
    if !isPaused { try playback.setTempo(tempo) }
    constantTempo = tempo
    message = "tempo \(tempo.beatsPerMinute.decimal(1))"
  }

  private func transpose(to semitones: Int) throws {
    let wanted = Self.limited(semitones)
    try playback.setTransposition(wanted)
    transposition = wanted
    message = "transpose \(transposition.signed)"
  }

  private func setVolume(_ decibels: Double) throws {
    guard let session else {
      throw ControlError(
        .noDevice, "volume: not available for MIDI ports (set it on the device, or add --synth)")
    }
    session.volume = state.setVolume(decibels)
    message = state.volumeMessage
  }

  private func select(_ step: Int) {
    let count = outline.channels.count
    guard count > 0 else { return }
    selected = selected.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
  }

  private func setHeard(_ wanted: HeardChannels) throws {
    try playback.setHeardChannels(wanted.heard)
    channels = wanted
  }

  private func loopPart() throws {
    if first == nil {
      first = here
      message = "A is set; press l again for B"
    } else if last == nil, let first {
      guard let loop = LoopRange(start: first, end: here) else {
        self.first = here
        message = "A is set; press l again for B"
        return
      }
      try playback.setLoop(loop)
      last = loop.end
      try locate(to: loop.start)
      message = "looping from A to B"
    } else {
      try endLoop()
    }
  }

  private func loopSong() throws {
    guard first == nil || last == nil else { return try endLoop() }
    guard let loop = LoopRange(start: .zero, end: outline.length) else { return }
    try playback.setLoop(loop)
    (first, last) = (loop.start, loop.end)
    message = "looping the whole song"
  }

  private func setLoop(_ first: SeekTime, _ last: SeekTime) throws {
    let sequence = playback.sequence
    let start = try first.tick(from: here, in: sequence, outline.decoder)
    let end = try last.tick(from: here, in: sequence, outline.decoder)
    guard let loop = LoopRange(start: start, end: end) else {
      throw ControlError(.usage, "loop: B must be after A")
    }
    try playback.setLoop(loop)
    (self.first, self.last) = (start, end)
    if here >= end { try locate(to: start) }
    message = "looping from A to B"
  }

  private func endLoop() throws {
    try playback.setLoop(nil)
    (first, last) = (nil, nil)
    message = "loop off"
  }

  private func panic() throws {
    let runs = playback.isToRun
    playback.stop()
    if runs, playback.snapshot.mode == .alone, !isPaused { try start() }
    message = "all notes off"
  }

}

extension PlayControls {
  /// Limits semitones to −48…48.
  package static func limited(_ semitones: Int) -> Int { min(max(semitones, -farthest), farthest) }

  /// Rounds decibels to tenths, limited to −60…12.
  package static func limited(_ decibels: Double) -> Double {
    min(max((decibels * 10).rounded() / 10, softest), loudest)
  }
}
