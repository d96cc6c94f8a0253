// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import Downbeat
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import TerminalViews

/// What keys change of a song that plays, and how it is changed.
///
/// - Note: one thread.
struct PlayControls {
  /// What a picture lies over the song's.
  enum Overlay {
    case help, facts
  }

  private static let slowest = Ratio(1, over: 10)
  private static let fastest: Ratio = 8
  private static let loudest = 12
  private static let softest = -60
  /// How long a place that was gone to counts in the place of the one that is heard.
  private static let settling: Int64 = 300_000_000

  let playback: Playback
  private let session: Session?
  private let outline: SongOutline

  /// Whether a person has stopped it.
  private(set) var isPaused = false
  private(set) var speed: Ratio
  /// Whether a tempo that was tapped holds.
  private(set) var isTapped = false
  private(set) var transposition: Int
  /// Decibels beside what the flags say.
  private(set) var volume = 0
  private(set) var muted: UInt16 = 0
  private(set) var soloed: UInt16 = 0
  /// The index among the song's channels of the one that is chosen.
  private(set) var selected: Int?
  private(set) var first: Tick?
  private(set) var last: Tick?
  private(set) var overlay: Overlay?
  private(set) var showsChannels = true
  private(set) var showsStatus = true
  /// What the last key did, in words.
  private(set) var said = ""
  private var taps = TempoTap()
  private var target: (tick: Tick, until: Int64)?

  init(
    _ playback: Playback, _ session: Session?, _ outline: SongOutline,
    _ flags: PlaybackFlags, loop: LoopRange?
  ) {
    self.playback = playback
    self.session = session
    self.outline = outline
    speed = flags.speed
    transposition = flags.transpose
    (first, last) = (loop?.start, loop?.end)
  }

  /// The channels that are heard, bit n for channel index n.
  var heard: UInt16 { (soloed == 0 ? .max : soloed) & ~muted }

  /// How the song is set, to be set so again; and to set it so at its beginning.
  var setting: SongMemory.Setting {
    .init(transposition: transposition, muted: muted, soloed: soloed, volume: volume)
  }

  /// Sets the song as it was once set.
  ///
  /// - Throws: nothing for a sequence that plays.
  mutating func take(_ setting: SongMemory.Setting) throws {
    (muted, soloed) = (setting.muted, setting.soloed)
    try transpose(setting.transposition - transposition)
    try playback.setHeardChannels(heard)
    if session != nil { changeVolume(setting.volume - volume) }
    said = "as it was set before"
  }

  /// Does what a key asks for; what cannot be done is said.
  mutating func act(_ command: PlayCommand) {
    do {
      try perform(command)
    } catch {
      said = "\(error)"
    }
  }

  /// Goes to a part of the song, 0…1.
  mutating func go(to part: Double) {
    do {
      try locate(to: outline.tick(atSeconds: part * outline.seconds))
    } catch {
      said = "\(error)"
    }
  }

  /// Shows the song again where something lies over it.
  mutating func closeOverlay() {
    overlay = nil
  }

  private mutating func perform(_ command: PlayCommand) throws {
    switch command {
    case .pause: try pause()
    case .seek(let seconds):
      try locate(to: outline.tick(atSeconds: outline.seconds(at: here) + Double(seconds)))
    case .bars(let count): try locate(to: outline.tick(bars: count, from: here))
    case .marker(let step): try goToMarker(step)
    case .restart: try locate(to: .zero)
    case .speed, .speedFactor, .normalSpeed: try changeSpeed(command)
    case .tap: try tap()
    case .transpose(let step): try transpose(step)
    case .volume(let step): changeVolume(step)
    case .select(let step): select(step)
    case .mute, .solo, .hearAll: try hear(command)
    case .loopPart: try loopPart()
    case .loopSong: try loopSong()
    case .panic: try panic()
    default: show(command)
    }
  }

  /// Where it is, or is about to be.
  private var here: Tick {
    if let target, DeadlineWait.now < target.until { return target.tick }
    return playback.position().tick
  }

  private mutating func locate(to tick: Tick) throws {
    // At the end of what is repeated it would be past it.
    let tick = tick == last ? tick.advanced(by: -1) : tick
    try playback.locate(to: tick)
    target = (tick, DeadlineWait.now + Self.settling)
    said = ""
  }

  private mutating func goToMarker(_ step: Int) throws {
    let marker = step > 0 ? outline.marker(after: here) : outline.marker(before: here)
    guard let marker else {
      if step < 0 { return try locate(to: .zero) }
      said = outline.markers.isEmpty ? "no markers in this song" : "no marker after this place"
      return
    }
    try locate(to: marker.tick)
    said = marker.name
  }

  private mutating func pause() throws {
    guard playback.snapshot.mode == .alone else { throw ClockError.follows("start and stop") }
    isPaused.toggle()
    if isPaused { playback.stop() } else { playback.start() }
    isTapped = false
    said = ""
  }

  private mutating func changeSpeed(_ command: PlayCommand) throws {
    var wanted: Ratio = 1
    switch command {
    case .speed(let percent): wanted = try speed + Ratio(Int64(percent), over: 100)
    case .speedFactor(let numerator, let denominator):
      wanted = try speed * Ratio(numerator, over: denominator)
    default:
      if isTapped { try playback.setTempo(nil) }
      isTapped = false
    }
    wanted = min(max(wanted, Self.slowest), Self.fastest)
    try playback.setPlayRate(wanted)
    speed = wanted
    said = "speed \(try speedText)"
  }

  /// The speed in percent.
  var speedText: String {
    get throws { "\(try (speed * 100).decimal(0)) %" }
  }

  private mutating func tap() throws {
    guard let tempo = taps.tap(at: HostTime(nanoseconds: DeadlineWait.now)) else {
      said = "tap on"
      return
    }
    try playback.setTempo(tempo)
    isTapped = true
    said = "tempo \(tempo.beatsPerMinute.decimal(1))"
  }

  private mutating func transpose(_ step: Int) throws {
    let wanted = min(max(transposition + step, -48), 48)
    try playback.setTransposition(wanted)
    transposition = wanted
    said = "transpose \(transposition.signed)"
  }

  private mutating func changeVolume(_ step: Int) {
    guard let session else {
      said = "volume: the ports' own (add --synth, or turn it there)"
      return
    }
    volume = min(max(volume + step, Self.softest), Self.loudest)
    session.volume = Gain(decibels: Double(volume)).factor
    said = "volume \(volume.signed) dB"
  }

  private mutating func select(_ step: Int) {
    let count = outline.channels.count
    guard count > 0 else { return }
    selected = selected.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    showsChannels = true
  }

  private mutating func hear(_ command: PlayCommand) throws {
    guard command == .hearAll || selected != nil else {
      said = "choose a channel first, with Tab"
      return
    }
    let old = (muted, soloed)
    if let selected, command != .hearAll {
      let bit = UInt16(1) << outline.channels[selected].channel.index
      if command == .mute { muted ^= bit } else { soloed ^= bit }
    } else {
      (muted, soloed) = (0, 0)
    }
    do {
      try playback.setHeardChannels(heard)
    } catch {
      (muted, soloed) = old
      throw error
    }
  }

  private mutating func loopPart() throws {
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

  private mutating func loopSong() throws {
    guard first == nil || last == nil else { return try endLoop() }
    guard let loop = LoopRange(start: .zero, end: outline.length) else { return }
    try playback.setLoop(loop)
    (first, last) = (loop.start, loop.end)
    said = "the whole song over and over"
  }

  private mutating func endLoop() throws {
    try playback.setLoop(nil)
    (first, last) = (nil, nil)
    said = "no loop"
  }

  private mutating func panic() throws {
    let runs = playback.isRunning
    playback.stop()
    if runs, playback.snapshot.mode == .alone, !isPaused { playback.start() }
    said = "all notes off"
  }

  private mutating func show(_ command: PlayCommand) {
    switch command {
    case .showHelp: overlay = overlay == .help ? nil : .help
    case .showFacts: overlay = overlay == .facts ? nil : .facts
    case .toggleChannels: showsChannels.toggle()
    case .toggleStatus: showsStatus.toggle()
    case .back: overlay = nil
    default: break
    }
    said = ""
  }
}

extension Int {
  /// With its sign: `+2`, `−3`, `0`.
  var signed: String { self > 0 ? "+\(self)" : self < 0 ? "−\(magnitude)" : "0" }
}
