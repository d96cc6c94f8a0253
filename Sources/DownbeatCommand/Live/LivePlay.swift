// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import ClockService
internal import Downbeat
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import TerminalViews

/// The live view of a song that plays, and its keys.
struct LivePlay {
  let display: LiveDisplay
  let outline: SongOutline
  /// The songs that are played, and which of them this one is.
  let songs: SongQueue
  let session: Session?
  let output: ALSAOutputUnit?
  let syncName: String
  let controls: PlayControls
  /// What remembers how the song is set; nil where nothing does.
  var memory: SettingKeeper?
  var meters: PlayMeters?
  private var messages = LiveMessages()
  private var load = LiveLoad()

  init(
    _ display: LiveDisplay, _ outline: SongOutline, songs: SongQueue, session: Session?,
    output: ALSAOutputUnit?, syncName: String, controls: PlayControls, meters: PlayMeters?
  ) {
    self.display = display
    self.outline = outline
    self.songs = songs
    self.session = session
    self.output = output
    self.syncName = syncName
    self.controls = controls
    self.meters = meters
  }

  /// Does what was typed, and draws, at once where something else was done too; what ends the song
  /// is asked of the songs.
  mutating func update(isUrgent: Bool) {
    let keys = display.keys()
    for key in keys where !songs.hasMoved { act(key) }
    if isUrgent || !keys.isEmpty { messages.say(controls.said) }
    messages.update()
    if let session { load.update(session.renderLoad) }
    display.show(isUrgent: isUrgent || !keys.isEmpty) { state }
  }

  /// Sets the song as it was set before, and remembers how it will be.
  ///
  /// - Throws: nothing for a sequence that plays.
  mutating func take(_ keeper: SettingKeeper) throws {
    memory = keeper
    guard !keeper.isPlain else { return }
    try controls.take(keeper.setting(over: controls.setting))
    messages.say(controls.said)
  }

  /// Remembers how the song is set.
  func remember() {
    memory?.keep(controls.setting)
  }

  private func act(_ key: Keystroke) {
    if case .click(let column, let row) = key {
      if let part = display.fraction(column: column, row: row) { controls.go(to: part) }
    } else if let command = display.bindings.command(of: key) {
      controls.act(command)
    } else {
      controls.closeOverlay()
    }
  }
}

// What is shown.
extension LivePlay {
  private var state: LiveState {
    var state = LiveState()
    let snapshot = controls.playback.snapshot
    let now = MonotonicClock.now
    let place = snapshot.position(at: now)
    let tick = min(max(place.tick, .zero), outline.length)
    state.title = outline.title
    state.place = songs.place
    state.mode = mode(snapshot)
    let seconds = outline.seconds(at: tick)
    state.time = "\(Int64(seconds).clockText) / \(Int64(outline.seconds).clockText)"
    state.bar = bar(at: tick)
    state.message = messages.text
    state.hint = PlayKeys.hint
    state.help = help
    do {
      state.music = try outline.barBeat(at: tick)
      if controls.showsStatus { state.fields = try fields(snapshot, place, at: tick, now) }
    } catch {
      // A place without a bar: it is shown without.
    }
    guard controls.showsStatus else { return state }
    state.words = words(at: seconds)
    if controls.showsChannels {
      addChannels(to: &state, at: tick, snapshot.beatsPerMinute(at: now))
    }
    return state
  }

  private func mode(_ snapshot: ClockSnapshot) -> LiveState.Mode {
    if controls.isPaused { return .paused }
    return snapshot.isRunning ? .running : snapshot.mode == .alone ? .paused : .waiting
  }

  private func bar(at tick: Tick) -> LiveState.SongBar {
    LiveState.SongBar(
      position: outline.part(at: tick),
      markers: outline.markers.map { .init($0.name, at: outline.part(at: $0.tick)) },
      first: controls.first.map(outline.part), last: controls.last.map(outline.part))
  }

  private var help: [LiveState.KeyHelp]? {
    switch controls.overlay {
    case nil: nil
    case .help: display.bindings.help(hasBar: true)
    case .facts: outline.facts
    }
  }

  private func fields(
    _ snapshot: ClockSnapshot, _ place: TransportPosition, at tick: Tick, _ now: HostTime
  ) throws -> [LiveState.Field] {
    typealias Field = LiveState.Field
    let written = outline.context.tempoMap.tempo(at: tick).beatsPerMinute.approximation
    let tempo = snapshot.beatsPerMinute(at: now) ?? written * controls.speed.approximation
    let speed = snapshot.mode == .alone ? try controls.speedText : ""
    var fields = [
      Field("tempo", tempo.decimal(1), controls.isTapped ? .accent : .plain),
      Field("meter", "\(try outline.meter(at: tick))"),
      Field("key", outline.key(at: tick).map { "\($0)" } ?? ""),
      Field("speed", speed, controls.speed == 1 ? .plain : .accent),
      Field(
        "transpose", controls.transposition == 0 ? "" : controls.transposition.signed, .accent),
      Field("sync", sync(snapshot), snapshot.lock == .locked ? .good : .warning),
      Field("pass", place.pass > 0 ? "\(place.pass + 1)" : ""),
    ]
    if case .smpte = outline.context.tempoMap.division { fields.removeFirst(2) }
    return fields + soundFields
  }

  private var soundFields: [LiveState.Field] {
    guard let session, let output else { return [] }
    let xruns = output.xrunCount
    return [
      .init("volume", "\(controls.volume.signed) dB", controls.volume == 0 ? .plain : .accent),
      .init("voices", "\(session.voiceCount)"),
      .init("cpu", load.text),
      .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      .init("peak", meters?.whole ?? ""),
    ]
  }

  /// What is followed, and how well.
  private func sync(_ snapshot: ClockSnapshot) -> String {
    guard snapshot.mode != .alone, let lock = snapshot.lock else { return "" }
    let tempo = snapshot.measuredTempo.map { ", \($0.beatsPerMinute.decimal(2)) bpm" } ?? ""
    return "\(syncName), \(lock.word)\(tempo)\(snapshot.isUncertain ? ", uncertain" : "")"
  }

  private func words(at seconds: Double) -> [LiveState.WordLine] {
    let now = Int64(seconds * 1e9)
    let current = outline.words.lastIndex { $0.start <= now } ?? 0
    let first = max(0, current - 1)
    return outline.words[min(first, outline.words.count)...].prefix(6).enumerated()
      .map { index, line in
        let sung = line.syllables.filter { $0.nanoseconds <= now }.map(\.text).joined()
        let rest = line.syllables.filter { $0.nanoseconds > now }.map(\.text).joined()
        return .init(sung: sung, rest: rest, isCurrent: first + index == current)
      }
  }

  private func addChannels(to state: inout LiveState, at tick: Tick, _ tempo: Double?) {
    let pace = ticksPerSecond(at: tick, tempo)
    state.selected = controls.selected
    state.channels = outline.channels.map { activity in
      let bit = UInt16(1) << activity.channel.index
      let level = meters.map { $0.part(of: activity.channel) }
      let isRunning = state.mode == .running
      return .init(
        number: activity.channel.number, name: activity.name(at: tick),
        level: level ?? (isRunning ? activity.level(at: tick, ticksPerSecond: pace) : 0),
        isActive: isRunning && activity.soundingCount(at: tick) > 0,
        isMuted: controls.muted & bit != 0, isSoloed: controls.soloed & bit != 0,
        isHeard: controls.heard & bit != 0)
    }
  }

  private func ticksPerSecond(at tick: Tick, _ tempo: Double?) -> Double {
    let later = tick.advanced(by: 1)
    let length = outline.seconds(at: later) - outline.seconds(at: tick)
    return length > 0 ? controls.speed.approximation / length : 1000
  }
}

extension LockState {
  /// The state in a word.
  var word: String {
    switch self {
    case .idle: "nothing heard"
    case .acquiring: "locking"
    case .locked: "locked"
    case .freewheeling: "freewheeling"
    }
  }
}
