// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// A clock that another machine or process drives, in the ticks of what is played.
///
/// MIDI clock gives beats; time code gives seconds, which the tempo map and the offset make ticks
/// of; a shared clock of another process gives both. Tempo, start, stop and position are the
/// master's: the play rate cannot be chosen here.
///
/// - Note: owned by the event thread.
public final class ExternalClock {
  /// What is followed.
  public enum Source: Sendable {
    /// MIDI beat clock.
    case midiClock(MIDIClockFollower)
    /// MIDI time code, at a true frame rate; nil takes the rate that the format stands for.
    case timecode(MTCFollower, rate: FrameRate?)
    /// A clock that another process serves.
    case shared(SharedClockFollower)
  }

  /// What kind of clock is followed.
  public let mode: SyncMode
  /// The map whose ticks are counted.
  public internal(set) var tempoMap: TempoMap {
    didSet { shared?.division = tempoMap.division }
  }
  /// The label at the sequence's start, for time code.
  public internal(set) var offset: Timecode?
  /// Whether the master may start the clock and set its position.
  ///
  /// Disarmed while it runs, it runs on until the master stops.
  public var isArmed = true
  /// Whether the clock runs.
  public internal(set) var isRunning = false
  /// Where the clock stands while it does not run.
  public internal(set) var standing: Tick = .zero

  // One of the three. They take messages where they are: each holds some kilobytes of the past,
  // which in a case of an enumeration would be copied out and back for every message.
  private var midiClock: MIDIClockFollower?
  private var timecode: MTCFollower?
  private var shared: SharedClockFollower?
  private let rate: FrameRate?

  /// Creates a clock that stands and is armed.
  public init(following source: Source, tempoMap: TempoMap, offset: Timecode? = nil) {
    self.tempoMap = tempoMap
    self.offset = offset
    switch source {
    case .midiClock(let follower):
      (mode, midiClock, rate) = (.midiClock, follower, nil)
    case .timecode(let follower, let rate):
      (mode, timecode, self.rate) = (.timecode, follower, rate)
    case .shared(let follower):
      (mode, shared, rate) = (.shared, follower, nil)
    }
  }

  /// Creates a clock that stands and is armed, in the maps and with the settings of another.
  public convenience init(following source: Source, for clock: MusicClock) {
    self.init(following: source, tempoMap: clock.tempoMap, offset: clock.smpteOffset)
    freewheel = clock.freewheel
  }

  /// Whether phase and tempo are known.
  public var lock: LockState {
    midiClock?.lock ?? timecode?.lock ?? shared?.lock ?? .idle
  }

  /// The tempo of a MIDI clock as measured; nil where none is known.
  public var tempo: FollowedTempo? { midiClock?.tempo }

  /// What is believed of clocks or quarter frames; nil where there are none.
  public var estimate: TickEstimate? { midiClock?.estimate ?? timecode?.estimate }

  /// Whether the position may be off by whole MIDI clocks.
  public var isUncertain: Bool { midiClock?.isUncertain ?? false }

  /// What a clock of another process said last; nil for another source.
  public var served: SharedClockState? { shared?.state }

  /// How often the maps of a clock of another process may have changed.
  public var servedEdition: UInt32 { shared?.readings ?? 0 }

  /// How long motion goes on without the master, in nanoseconds.
  public var freewheel: Int64 {
    get {
      midiClock?.settings.freewheel ?? timecode?.settings.freewheel ?? shared?.freewheel ?? 0
    }
    set {
      midiClock?.settings.freewheel = newValue
      timecode?.settings.freewheel = newValue
      shared?.freewheel = newValue
    }
  }

  /// Takes a received event; nothing happens where it is no business of the source.
  func take(_ event: HostEvent, payloads: Span<UInt8>) -> FollowerEvents {
    switch event.payload {
    case .message(let message):
      return midiClock?.take(message, at: event.time) ?? timecode?.take(message, at: event.time)
        ?? FollowerEvents()
    case .sysEx(let place):
      let range = Int(place.offset)..<Int(place.offset + place.count)
      return timecode?.take(sysEx: payloads.extracting(range), at: event.time) ?? FollowerEvents()
    default:
      return FollowerEvents()
    }
  }

  /// Lets time pass.
  func advance(to now: HostTime) -> FollowerEvents {
    midiClock?.advance(to: now) ?? timecode?.advance(to: now) ?? shared?.advance(to: now)
      ?? FollowerEvents()
  }

  /// Whether the master moves.
  var isMasterMoving: Bool {
    shared?.isRunning ?? ((midiClock?.transport ?? timecode?.transport) == .running)
  }

  /// The instant up to which events may be sent out, as seen from now; nil while nothing runs.
  func releaseLimit(at now: HostTime) -> HostTime? {
    if let isRunning = shared?.isRunning { return isRunning ? HostTime(nanoseconds: .max) : nil }
    return midiClock?.releaseLimit(at: now) ?? timecode?.releaseLimit(at: now)
  }

  /// Calls `body` with each piece of a window, in order.
  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    let place = timecode?.position
    midiClock?.forEachPiece(of: window) { part, clocks in
      if let line = ticks(clocks) { body(part, line) }
    }
    timecode?.forEachPiece(of: window) { part, quarterFrames in
      forEachTempo(of: part, quarterFrames, place, body)
    }
    shared?.forEachPiece(of: window, body)
  }

  /// The line in ticks that holds at an instant; nil while nothing runs.
  public func timeline(at time: HostTime) -> Timeline<Tick, HostTime>? {
    isRunning ? masterLine(at: time) : nil
  }

  /// The line of the master, whether or not the clock runs along it.
  func masterLine(at time: HostTime) -> Timeline<Tick, HostTime>? {
    let window = time..<time.advanced(byNanoseconds: 1)
    var line: Timeline<Tick, HostTime>?
    if let clocks = midiClock?.piece(at: time) { line = ticks(clocks) }
    if let quarterFrames = timecode?.piece(at: time) {
      forEachTempo(of: window, quarterFrames, timecode?.position) { line = $1 }
    }
    shared?.forEachPiece(of: window) { line = $1 }
    return line
  }

  /// The tick of a position that the source gave: the first at or after it.
  func tick(of position: FollowedPosition) -> Tick {
    if let tick = shared?.tick { return tick }
    do {
      switch position {
      case .clock(let clock):
        return try firstTick(tempoMap.ticks(atQuarters: clock.quarters))
      case .timecode(let place):
        let rate = rate(of: place)
        let seconds =
          try Ratio(place.count) / (rate.framesPerSecond * 4) - offsetSeconds(rate, place)
        return try firstTick(tempoMap.ticks(atSeconds: seconds))
      }
    } catch {
      // Past what 128 bits hold: nowhere.
      return .zero
    }
  }

  private func firstTick(_ ticks: Ratio) throws(TimeError) -> Tick {
    Tick(Int64(clamping: try ticks.rounded(.ceil, unit: "ticks").value))
  }

  private func ticks(_ clocks: Timeline<MIDIClock, HostTime>) -> Timeline<Tick, HostTime>? {
    guard case .ppqn(let resolution) = tempoMap.division else { return nil }
    return clocks.ticks(ppqn: resolution)
  }
}

extension ExternalClock {
  /// The true rate at which a position's frames pass.
  private func rate(of place: QuarterFrameCount) -> FrameRate {
    rate ?? FrameRate(mtcCode: place.code)
  }

  /// The offset as seconds at a rate: its label counts, whatever rate it was given at.
  ///
  /// A place more than half a day before it lies behind midnight: the sequence began the day before.
  private func offsetSeconds(
    _ rate: FrameRate, _ place: QuarterFrameCount
  ) throws(TimeError) -> Ratio {
    guard let offset else { return .zero }
    let before = try offset.frames * 4 - Ratio(place.count)
    let isDayBefore = before > Ratio(2 * rate.framesPerDay)
    let frames = isDayBefore ? try offset.frames - Ratio(rate.framesPerDay) : offset.frames
    return try frames / rate.framesPerSecond
  }

  /// Calls `body` with each part of a window in which time code and tempo map make one line.
  private func forEachTempo(
    of window: HostWindow, _ quarterFrames: Timeline<QuarterFrameCount, HostTime>,
    _ place: QuarterFrameCount?, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void
  ) {
    guard let place else { return }
    do {
      let rate = rate(of: place)
      let media = quarterFrames.media(rate: rate)
      let offset = try offsetSeconds(rate, place) * 1_000_000_000
      let shift = try offset.rounded(.nearest, unit: "ns").value
      var start = window.lowerBound
      while start < window.upperBound {
        let piece = try line(from: start, media, shift: Int64(clamping: shift))
        let end = min(window.upperBound, max(piece.validUntil, start.advanced(byNanoseconds: 1)))
        body(start..<end, piece)
        start = end
      }
    } catch {
      // Past what 64 bits hold: nothing is played there.
      return
    }
  }

  /// The line of ticks from an instant on, up to the next tempo change.
  ///
  /// The origin is the first tick, to a nanosecond; the slope is good to 2⁻⁴⁰, far less than that
  /// in the tenth of a second that a piece lasts.
  private func line(
    from start: HostTime, _ media: Timeline<MediaTime, HostTime>, shift: Int64
  ) throws(TimeError) -> Timeline<Tick, HostTime> {
    let now = try media.count(at: start, rounding: .floor).value - shift
    let tick = try tempoMap.tick(at: MediaTime(nanoseconds: now), rounding: .floor).value
    let map = try tempoMap.mediaLine(at: tick)
    let origin = map.timeRoundedUp(atCount: tick.value).nanoseconds
    let slope = map.slope * media.slope
    let end =
      map.validUntil.nanoseconds == .max
      ? HostTime(nanoseconds: .max)
      : media.timeRoundedUp(atCount: map.validUntil.nanoseconds + shift)
    return Timeline(
      countOrigin: tick.value,
      scaledOrigin: Int128(media.timeRoundedUp(atCount: origin + shift).nanoseconds) << 20,
      numerator: max(1, Int64(slope * 0x1p20)), denominator: 1 << 20, validUntil: end)
  }
}

extension Timeline {
  /// Nanoseconds a count.
  var slope: Double { Double(numerator) / Double(denominator) }
}
