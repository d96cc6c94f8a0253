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
public struct ExternalClock: Sendable {
  /// What is followed.
  public enum Source: Sendable {
    /// MIDI beat clock.
    case midiClock(MIDIClockFollower)
    /// MIDI time code, at a true frame rate; nil takes the rate that the format stands for.
    case timecode(MTCFollower, rate: FrameRate?)
    /// A clock that another process serves.
    case shared(SharedClockFollower)
  }

  /// What is followed, and all that is known of it.
  public private(set) var source: Source
  /// The map whose ticks are counted.
  public internal(set) var tempoMap: TempoMap
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
  /// What host time, in which a master is heard, is ahead of the time in which windows are cut.
  var shift: Int64 = 0

  /// Creates a clock that stands and is armed.
  public init(following source: Source, tempoMap: TempoMap, offset: Timecode? = nil) {
    self.source = source
    self.tempoMap = tempoMap
    self.offset = offset
  }

  /// Creates a clock that stands and is armed, in the maps and with the settings of another.
  public init(following source: Source, for clock: MusicClock) {
    self.init(following: source, tempoMap: clock.tempoMap, offset: clock.smpteOffset)
    freewheel = clock.freewheel
  }

  /// What kind of clock is followed.
  public var mode: SyncMode {
    switch source {
    case .midiClock: .midiClock
    case .timecode: .timecode
    case .shared: .shared
    }
  }

  /// Whether phase and tempo are known.
  public var lock: LockState {
    switch source {
    case .midiClock(let follower): follower.lock
    case .timecode(let follower, _): follower.lock
    case .shared(let follower): follower.lock
    }
  }

  /// The tempo of a MIDI clock as measured; nil where none is known.
  public var tempo: FollowedTempo? {
    guard case .midiClock(let follower) = source else { return nil }
    return follower.tempo
  }

  /// What is believed of clocks or quarter frames; nil where there are none.
  public var estimate: TickEstimate? {
    switch source {
    case .midiClock(let follower): follower.estimate
    case .timecode(let follower, _): follower.estimate
    case .shared: nil
    }
  }

  /// How long motion goes on without the master, in nanoseconds; a served clock that is gone stops
  /// at once.
  public var freewheel: Int64 {
    get {
      switch source {
      case .midiClock(let follower): follower.settings.freewheel
      case .timecode(let follower, _): follower.settings.freewheel
      case .shared: 0
      }
    }
    set {
      switch source {
      case .midiClock(var follower):
        follower.settings.freewheel = newValue
        source = .midiClock(follower)
      case .timecode(var follower, let rate):
        follower.settings.freewheel = newValue
        source = .timecode(follower, rate: rate)
      case .shared: break
      }
    }
  }

  /// Takes a received event; nothing happens where it is no business of the source.
  mutating func take(_ event: TimedEvent, payloads: Span<UInt8>) -> FollowerEvents {
    switch (source, event.payload) {
    case (.midiClock(var follower), .message(let message)):
      defer { source = .midiClock(follower) }
      return follower.take(message, at: event.time)
    case (.timecode(var follower, let rate), .message(let message)):
      defer { source = .timecode(follower, rate: rate) }
      return follower.take(message, at: event.time)
    case (.timecode(var follower, let rate), .sysEx(let place)):
      defer { source = .timecode(follower, rate: rate) }
      let range = Int(place.offset)..<Int(place.offset + place.count)
      return follower.take(sysEx: payloads.extracting(range), at: event.time)
    default:
      return FollowerEvents()
    }
  }

  /// Lets time pass.
  mutating func advance(to now: HostTime) -> FollowerEvents {
    switch source {
    case .midiClock(var follower):
      defer { source = .midiClock(follower) }
      return follower.advance(to: now)
    case .timecode(var follower, let rate):
      defer { source = .timecode(follower, rate: rate) }
      return follower.advance(to: now)
    case .shared(var follower):
      defer { source = .shared(follower) }
      return follower.advance(to: now)
    }
  }

  /// Whether the master moves.
  var isMasterMoving: Bool {
    switch source {
    case .midiClock(let follower): follower.transport == .running
    case .timecode(let follower, _): follower.transport == .running
    case .shared(let follower): follower.isRunning
    }
  }

  /// The instant up to which events may be sent out, as seen from now; nil while nothing runs.
  func releaseLimit(at now: HostTime) -> HostTime? {
    let host = now.advanced(saturating: shift)
    let limit: HostTime? =
      switch source {
      case .midiClock(let follower): follower.releaseLimit(at: host)
      case .timecode(let follower, _): follower.releaseLimit(at: host)
      case .shared(let follower): follower.isRunning ? HostTime(nanoseconds: .max) : nil
      }
    return limit?.advanced(saturating: -shift)
  }

  /// Calls `body` with each piece of a window, in order.
  mutating func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick>) -> Void) {
    let shift = shift
    forEachHostPiece(of: window.moved(byNanoseconds: shift)) { part, line in
      body(part.moved(byNanoseconds: -shift), line.moved(byNanoseconds: -shift))
    }
  }

  private mutating func forEachHostPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<Tick>) -> Void
  ) {
    switch source {
    case .midiClock(var follower):
      follower.forEachPiece(of: window) { part, clocks in
        if let line = ticks(clocks) { body(part, line) }
      }
      source = .midiClock(follower)
    case .timecode(var follower, let rate):
      follower.forEachPiece(of: window) { part, quarterFrames in
        forEachTempo(of: part, quarterFrames, rate, body)
      }
      source = .timecode(follower, rate: rate)
    case .shared(let follower):
      follower.forEachPiece(of: window, body)
    }
  }

  /// The line in ticks that holds at an instant; nil while nothing runs.
  public func timeline(at time: HostTime) -> Timeline<Tick>? {
    isRunning ? masterLine(at: time) : nil
  }

  /// The line of the master, whether or not the clock runs along it.
  func masterLine(at time: HostTime) -> Timeline<Tick>? {
    var copy = self
    var line: Timeline<Tick>?
    copy.forEachPiece(of: time..<time.advanced(byNanoseconds: 1)) { line = $1 }
    return line
  }

  /// The tick of a position that the source gave: the first at or after it.
  func tick(of position: FollowedPosition) -> Tick {
    if case .shared(let follower) = source { return follower.tick }
    do {
      switch position {
      case .clock(let clock):
        return try firstTick(tempoMap.ticks(atQuarters: clock.quarters))
      case .timecode(let place):
        let rate = rate(of: place)
        let seconds = try Ratio(place.count) / (rate.framesPerSecond * 4) - offsetSeconds(rate)
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

  private func ticks(_ clocks: Timeline<MIDIClock>) -> Timeline<Tick>? {
    guard case .ppqn(let resolution) = tempoMap.division else { return nil }
    return clocks.ticks(ppqn: resolution)
  }
}

extension ExternalClock {
  /// The true rate at which a position's frames pass.
  private func rate(of place: QuarterFrameCount) -> FrameRate {
    if case .timecode(_, let rate?) = source { return rate }
    return FrameRate(mtcCode: place.code)
  }

  /// The offset as seconds at a rate: its label counts, whatever rate it was given at.
  private func offsetSeconds(_ rate: FrameRate) throws(TimeError) -> Ratio {
    guard let offset else { return .zero }
    return try offset.frames / rate.framesPerSecond
  }

  /// Calls `body` with each part of a window in which time code and tempo map make one line.
  private func forEachTempo(
    of window: HostWindow, _ quarterFrames: Timeline<QuarterFrameCount>, _ rate: FrameRate?,
    _ body: (HostWindow, Timeline<Tick>) -> Void
  ) {
    guard case .timecode(let follower, _) = source, let code = follower.position?.code else {
      return
    }
    do {
      let rate = rate ?? FrameRate(mtcCode: code)
      let media = quarterFrames.media(rate: rate)
      let shift = try (offsetSeconds(rate) * 1_000_000_000).rounded(.nearest, unit: "ns").value
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
    from start: HostTime, _ media: Timeline<MediaTime>, shift: Int64
  ) throws(TimeError) -> Timeline<Tick> {
    let now = try media.count(at: start, rounding: .floor).value - shift
    let tick = try tempoMap.tick(at: MediaTime(nanoseconds: now), rounding: .floor).value
    let map = try tempoMap.timeline(
      at: tick, originTick: .zero, originHost: .zero, playRate: 1)
    let origin = map.hostTimeRoundedUp(atCount: tick.value).nanoseconds
    let slope = map.slope * media.slope
    let end =
      map.validUntil.nanoseconds == .max
      ? HostTime(nanoseconds: .max)
      : media.hostTimeRoundedUp(atCount: map.validUntil.nanoseconds + shift)
    return Timeline(
      countOrigin: tick.value,
      scaledHostOrigin: Int128(media.hostTimeRoundedUp(atCount: origin + shift).nanoseconds) << 20,
      numerator: max(1, Int64(slope * 0x1p20)), denominator: 1 << 20, validUntil: end)
  }
}

extension HostWindow {
  /// The window so many nanoseconds later.
  fileprivate func moved(byNanoseconds distance: Int64) -> HostWindow {
    lowerBound.advanced(saturating: distance)..<upperBound.advanced(saturating: distance)
  }
}

extension Timeline {
  /// Nanoseconds a count.
  var slope: Double { Double(numerator) / Double(denominator) }
}
