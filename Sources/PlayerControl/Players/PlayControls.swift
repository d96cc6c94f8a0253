// SPDX-License-Identifier: Apache-2.0
internal import ClockService
package import Downbeat
package import JACKAudio
internal import MIDIMessages
internal import MusicSequences
package import MusicalTime
internal import Realtime

/// What keys, other programs and signals change of a song that plays, and how it is changed.
///
/// - Note: one thread.
package final class PlayControls: ControlTarget {
  package static let kind = PlayStatus.Kind.song
  package static let verbs = ControlVerb.allCases.filter { $0 != .program }

  package static let slowest = Ratio(1, over: 10)
  package static let fastest: Ratio = 8
  /// In decibels.
  package static let loudest = 12.0
  static let softest = -60.0
  /// In semitones, down and up.
  static let farthest = 48
  /// How long before an instant a command is given, beside the time that the output takes.
  private static let handling = Duration.milliseconds(120)
  /// How long a place that was gone to counts in the place of the one that is heard.
  private static let settling: Int64 = 300_000_000

  package let playback: Playback
  package let session: Session?
  package let outline: SongOutline
  /// The songs of which this is one, and its number in their order.
  package let songs: SongQueue
  package let index: Int

  /// JACK's transport, where that is followed: what would start, stop or move the song does so to
  /// everybody on the server.
  package var transport: JACKTransport?
  /// Whether a person has stopped it.
  package private(set) var isPaused = false
  /// Whether it waits at the beginning.
  private(set) var isStopped = false
  package private(set) var speed: Ratio
  /// Whether a tempo that was tapped holds.
  package private(set) var isTapped = false
  package private(set) var transposition: Int
  /// Decibels beside what the flags say.
  package private(set) var volume = 0.0
  package private(set) var channels = HeardChannels()
  /// The index among the song's channels of the one that is chosen.
  package private(set) var selected: Int?
  package private(set) var first: Tick?
  package private(set) var last: Tick?
  /// What the last key did, in words.
  package var said = ""
  /// How often it was sent to another place.
  package private(set) var moves = 0
  private var taps = TempoTap()
  private var target: (tick: Tick, until: Int64)?

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

  /// How the song is set, to be set so again; and to set it so at its beginning.
  package var setting: SongMemory.Setting {
    .init(transposition: transposition, channels: channels, volume: volume)
  }

  /// Sets the song as it was once set.
  ///
  /// - Throws: nothing for a sequence that plays.
  package func take(_ setting: SongMemory.Setting) throws {
    try transpose(to: setting.transposition)
    try hear(setting.channels)
    if session != nil { try setVolume(setting.volume) }
    said = "as it was set before"
  }

  package static func takes(_ command: PlayCommand) -> Bool {
    command.verb.map(verbs.contains) ?? true
  }

  /// Goes to a part of the song, 0…1.
  package func go(to part: Double) {
    do {
      said = ""
      try locate(to: outline.tick(atSeconds: part * outline.seconds))
    } catch {
      said = "\(error)"
    }
  }

  /// What starts, stops and moves the music is sent ahead of what is heard.
  package func lead(of command: PlayCommand) -> Duration? {
    switch command {
    case .pause, .setPaused, .stop, .locate, .seek, .bars, .marker, .restart:
      Self.handling + .nanoseconds(playback.snapshot.base?.delay ?? 0)
    default: nil
    }
  }

  package func perform(_ command: PlayCommand, at time: HostTime?) throws {
    switch command {
    case .pause: try setPaused(transport == nil ? !isPaused : playback.isRunning, at: time)
    case .setPaused(let pauses): try setPaused(pauses, at: time)
    case .stop: try stop(at: time)
    case .locate(let place):
      try locate(to: place.tick(from: here, in: playback.sequence, outline.decoder), at: time)
    case .seek(let seconds):
      try locate(to: outline.tick(atSeconds: outline.seconds(at: here) + Double(seconds)), at: time)
    case .bars(let count): try locate(to: outline.tick(bars: count, from: here), at: time)
    case .marker(let step): try goToMarker(step, at: time)
    case .restart: try locate(to: .zero, at: time)
    case .file(let step): if step < 0 { songs.previous() } else { songs.next() }
    case .goTo(let index): try goTo(index)
    case .setRepetition(let repetition): songs.repetition = repetition
    case .quit: songs.quit()
    case .leave: songs.quit(remembering: true)
    case .speed(let percent): try setSpeed(speed + Ratio(Int64(percent), over: 100))
    case .speedFactor(let above, let below): try setSpeed(speed * Ratio(above, over: below))
    case .setSpeed(let factor): try setSpeed(factor)
    case .normalSpeed: try endTapping()
    case .tap: try tap()
    case .setTempo(let tempo): try setTempo(tempo)
    case .transpose(let step): try transpose(to: transposition + step)
    case .setTransposition(let semitones): try transpose(to: semitones)
    case .volume(let step): try setVolume(volume + Double(step))
    case .setVolume(let decibels): try setVolume(decibels)
    case .panic: try panic()
    default: try performOnParts(command)
    }
  }

  /// Commands about channels, and about parts of the song.
  private func performOnParts(_ command: PlayCommand) throws {
    let chosen = selected.map { outline.channels[$0].place }
    if let wanted = try channels.changed(by: command, chosen: chosen) { return try hear(wanted) }
    switch command {
    case .select(let step): select(step)
    case .loopPart: try loopPart()
    case .loopSong: try loopSong()
    case .setLoop(let first, let last): try setLoop(first, last)
    case .endLoop: try endLoop()
    default: break
    }
  }

  private func goTo(_ index: Int) throws {
    guard songs.go(to: index) else {
      throw ControlError(.usage, "file \(index + 1): there are \(songs.count)")
    }
  }

  /// Where it is, or is about to be.
  package var here: Tick {
    if let target, DeadlineWait.now < target.until { return target.tick }
    return min(max(playback.position().tick, .zero), outline.length)
  }

  private func locate(to tick: Tick, at time: HostTime? = nil) throws {
    // At the end of what is repeated it would be past it.
    let tick = tick == last ? tick.advanced(by: -1) : tick
    if let transport {
      try transport.locate(to: playback.sequence.tempoMap.seconds(at: tick))
    } else {
      // Where it stands nothing is heard of it, and what follows may be meant for the same instant.
      try playback.locate(to: tick, at: isPaused ? nil : time)
    }
    target = (tick, max(DeadlineWait.now, time?.nanoseconds ?? 0) + Self.settling)
    moves += 1
    isStopped = false
  }

  private func goToMarker(_ step: Int, at time: HostTime?) throws {
    let marker = step > 0 ? outline.marker(after: here) : outline.marker(before: here)
    guard let marker else {
      if step < 0 { return try locate(to: .zero, at: time) }
      said = outline.markers.isEmpty ? "no markers in this song" : "no marker after this place"
      return
    }
    try locate(to: marker.tick, at: time)
    said = marker.name
  }

  private func setPaused(_ pauses: Bool, at time: HostTime? = nil) throws {
    if let transport {
      return pauses ? transport.stop() : transport.start()
    }
    guard playback.snapshot.mode == .alone else { throw ClockError.follows("start and stop") }
    guard pauses != isPaused else { return }
    isPaused = pauses
    if isPaused { playback.stop(at: time) } else { playback.start(at: time) }
    isTapped = false
    isStopped = false
  }

  private func stop(at time: HostTime?) throws {
    try setPaused(true, at: time)
    try locate(to: .zero)
    isStopped = true
  }

  private func endTapping() throws {
    if isTapped { try playback.setTempo(nil) }
    isTapped = false
    try setSpeed(1)
  }

  private func setSpeed(_ factor: Ratio) throws {
    let wanted = min(max(factor, Self.slowest), Self.fastest)
    try playback.setPlayRate(wanted)
    speed = wanted
    said = "speed \(try speedText)"
  }

  /// The speed in percent.
  package var speedText: String {
    get throws { "\(try (speed * 100).decimal(0)) %" }
  }

  private func tap() throws {
    guard let tempo = taps.tap(at: HostTime(nanoseconds: DeadlineWait.now)) else {
      said = "tap on"
      return
    }
    try setTempo(tempo)
  }

  private func setTempo(_ tempo: Tempo) throws {
    try playback.setTempo(tempo)
    isTapped = true
    said = "tempo \(tempo.beatsPerMinute.decimal(1))"
  }

  private func transpose(to semitones: Int) throws {
    let wanted = Self.held(semitones)
    try playback.setTransposition(wanted)
    transposition = wanted
    said = "transpose \(transposition.signed)"
  }

  private func setVolume(_ decibels: Double) throws {
    guard let session else {
      throw ControlError(.noDevice, "volume: the ports' own (add --synth, or turn it there)")
    }
    volume = Self.held(decibels)
    session.volume = Gain(decibels: volume).factor
    said = "volume \(volume.signed) dB"
  }

  private func select(_ step: Int) {
    let count = outline.channels.count
    guard count > 0 else { return }
    selected = selected.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
  }

  private func hear(_ wanted: HeardChannels) throws {
    try playback.setHeardChannels(wanted.heard)
    channels = wanted
  }

  private func loopPart() throws {
    if first == nil {
      first = here
      said = "A here; l again for B"
    } else if last == nil, let first {
      guard let loop = LoopRange(start: first, end: here) else {
        self.first = here
        said = "A here; l again for B"
        return
      }
      try playback.setLoop(loop)
      last = loop.end
      try locate(to: loop.start)
      said = "from A to B"
    } else {
      try endLoop()
    }
  }

  private func loopSong() throws {
    guard first == nil || last == nil else { return try endLoop() }
    guard let loop = LoopRange(start: .zero, end: outline.length) else { return }
    try playback.setLoop(loop)
    (first, last) = (loop.start, loop.end)
    said = "the whole song over and over"
  }

  private func setLoop(_ first: SeekTime, _ last: SeekTime) throws {
    let sequence = playback.sequence
    let start = try first.tick(from: here, in: sequence, outline.decoder)
    let end = try last.tick(from: here, in: sequence, outline.decoder)
    guard let loop = LoopRange(start: start, end: end) else {
      throw ControlError(.usage, "loop: B must lie after A")
    }
    try playback.setLoop(loop)
    (self.first, self.last) = (start, end)
    if here >= end { try locate(to: start) }
    said = "from A to B"
  }

  private func endLoop() throws {
    try playback.setLoop(nil)
    (first, last) = (nil, nil)
    said = "no loop"
  }

  private func panic() throws {
    let runs = playback.isToRun
    playback.stop()
    if runs, playback.snapshot.mode == .alone, !isPaused { playback.start() }
    said = "all notes off"
  }

}

extension PlayControls {
  /// Semitones as far as they go.
  package static func held(_ semitones: Int) -> Int { min(max(semitones, -farthest), farthest) }

  /// Decibels as far as they go, in tenths.
  package static func held(_ decibels: Double) -> Double {
    min(max((decibels * 10).rounded() / 10, softest), loudest)
  }
}

extension Int {
  /// With its sign: `+2`, `−3`, `0`.
  package var signed: String { self > 0 ? "+\(self)" : self < 0 ? "−\(magnitude)" : "0" }
}

extension Double {
  /// With its sign, and a decimal where it has one: `+2`, `−1.5`, `0`.
  package var signed: String {
    let text = magnitude.decimal(magnitude == magnitude.rounded() ? 0 : 1)
    return self > 0 ? "+\(text)" : self < 0 ? "−\(text)" : "0"
  }
}
