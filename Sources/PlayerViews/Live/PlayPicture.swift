// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import Downbeat
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
package import PlayerControl
internal import Realtime
package import TerminalViews

/// The contents of the live view of a song.
package struct PlayPicture {
  package let controls: PlayControls
  /// Returns the number of underruns.
  package let xrunCount: () -> Int
  /// The name of the sync source; empty for none.
  package let syncName: String
  package let meters: PlayMeters?
  /// The addresses of control pages; empty for none.
  package var pages: [String] = []

  /// Creates the contents.
  package init(
    controls: PlayControls, xrunCount: @escaping () -> Int, syncName: String, meters: PlayMeters?,
    pages: [String] = []
  ) {
    self.controls = controls
    self.xrunCount = xrunCount
    self.syncName = syncName
    self.meters = meters
    self.pages = pages
  }

  private var outline: SongOutline { controls.outline }

  /// The current state of the view.
  ///
  /// - Parameters:
  ///   - bindings: The actions of the keys.
  ///   - parts: The parts that are shown.
  ///   - load: The load of the render thread, as text.
  /// - Returns: The state without the last message.
  package func state(_ bindings: PlayKeys, _ parts: LiveParts, load: String) -> LiveState {
    var state = LiveState()
    let snapshot = controls.playback.snapshot
    let now = MonotonicClock.now
    let place = snapshot.position(at: now)
    let tick = min(max(place.tick, .zero), outline.length)
    state.title = outline.heading
    state.place = controls.songs.place
    state.mode = mode(snapshot)
    let seconds = outline.seconds(at: tick)
    state.time = "\(Int64(seconds).clockText) / \(outline.seconds.lengthText)"
    state.bar = bar(at: tick)
    state.hint = PlayKeys.hint(isPaused: state.mode == .paused)
    (state.help, state.helpPage) = (help(bindings, parts), parts.page)
    do {
      state.music = try outline.barBeat(at: tick)
      if parts.hasFields { state.fields = try fields(snapshot, place, at: tick, now, load) }
    } catch {
      // A position without a bar is shown without it.
    }
    guard parts.hasFields else { return state }
    state.words = words(at: seconds)
    if parts.hasChannels {
      addChannels(to: &state, at: tick, snapshot.beatsPerMinute(at: now))
    }
    return state
  }

  private func mode(_ snapshot: ClockSnapshot) -> LiveState.Mode {
    if controls.isPaused { return .paused }
    if controls.playback.isOutputAway { return .waiting }
    return snapshot.isRunning ? .running : snapshot.mode == .alone ? .paused : .waiting
  }

  private func bar(at tick: Tick) -> LiveState.SongBar {
    LiveState.SongBar(
      position: outline.part(at: tick),
      markers: outline.markers.map { .init($0.name, at: outline.part(at: $0.tick)) },
      first: controls.first.map(outline.part), last: controls.last.map(outline.part))
  }

  private func help(_ bindings: PlayKeys, _ parts: LiveParts) -> [LiveState.KeyHelp]? {
    switch parts.overlay {
    case nil: nil
    case .help: bindings.help(hasBar: true)
    case .facts: outline.facts.map { .init($0.name, $0.value) } + pages.map { .init("browser", $0) }
    }
  }

  private func fields(
    _ snapshot: ClockSnapshot, _ place: TransportPosition, at tick: Tick, _ now: HostTime,
    _ load: String
  ) throws -> [LiveState.Field] {
    typealias Field = LiveState.Field
    let tempo = controls.audibleTempo(snapshot, at: tick)
    let factor = controls.audibleSpeed(snapshot, at: tick)
    let speed = snapshot.mode == .alone ? "\((factor * 100).decimal(0)) %" : ""
    var fields = [
      Field("tempo", tempo.decimal(1), controls.isTapped ? .accent : .plain),
      Field("meter", "\(try outline.meter(at: tick))"),
      Field("key", outline.key(at: tick).map { "\($0)" } ?? ""),
      Field("speed", speed, factor == 1 ? .plain : .accent),
      Field(
        "transpose", controls.transposition == 0 ? "" : controls.transposition.signed, .accent),
      Field("sync", sync(snapshot), snapshot.lock == .locked ? .good : .warning),
      Field("pass", place.pass > 0 ? "\(place.pass + 1)" : ""),
    ]
    if case .smpte = outline.context.tempoMap.division { fields.removeFirst(2) }
    return fields + soundFields(load)
  }

  private func soundFields(_ load: String) -> [LiveState.Field] {
    guard let session = controls.session else { return [] }
    let xruns = xrunCount()
    return [
      .init("device", controls.playback.isOutputAway ? "gone" : "", .warning),
      .init("volume", "\(controls.volume.signed) dB", controls.volume == 0 ? .plain : .accent),
      .init("voices", "\(session.voiceCount)"),
      .init("cpu", load),
      .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      .init("peak", meters?.whole ?? ""),
    ]
  }

  /// The sync source and its state.
  private func sync(_ snapshot: ClockSnapshot) -> String {
    guard snapshot.mode != .alone, let lock = snapshot.lock else { return "" }
    let tempo = snapshot.measuredTempo.map { ", \($0.beatsPerMinute.decimal(2)) bpm" } ?? ""
    return "\(syncName), \(lock.word)\(tempo)\(snapshot.isUncertain ? ", uncertain" : "")"
  }

  private func words(at seconds: Double) -> [LiveState.WordLine] {
    let now = Int64(nearest: seconds * 1e9)
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
    let heard = controls.channels.heard
    state.channels = outline.channels.map { activity in
      let (channel, port) = (activity.channel, activity.port ?? 0)
      let level = meters.map { $0.part(of: activity.place) }
      let isRunning = state.mode == .running
      return .init(
        number: channel.number, name: activity.title(at: tick),
        level: level ?? (isRunning ? activity.level(at: tick, ticksPerSecond: pace) : 0),
        isActive: isRunning && activity.soundingCount(at: tick) > 0,
        isMuted: controls.channels.muted.contains(channel, port: port),
        isSoloed: controls.channels.soloed.contains(channel, port: port),
        isHeard: heard.contains(channel, port: port))
    }
  }

  private func ticksPerSecond(at tick: Tick, _ tempo: Double?) -> Double {
    let later = tick.advanced(by: 1)
    let length = outline.seconds(at: later) - outline.seconds(at: tick)
    return length > 0 ? controls.speed.approximation / length : 1000
  }
}
