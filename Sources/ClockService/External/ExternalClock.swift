// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// A clock that another machine or process controls, converted to the ticks of the song.
///
/// MIDI clock and an Ableton Link session provide beats, MIDI and linear time code provide seconds,
/// and JACK's transport provides sample frames. The served clock of another process provides both
/// beats and seconds. Seconds are converted to ticks with the tempo map and the offset. The master
/// determines tempo, start, stop and position; the play rate cannot be set.
///
/// - Note: Owned by the event thread.
public final class ExternalClock {
  /// A master that a clock can follow.
  public enum Source: Sendable {
    /// MIDI clock.
    case midiClock(MIDIClockFollower)
    /// MIDI time code, played at `rate`; if nil, at the nominal rate of the received frame rate
    /// code.
    case timecode(MTCFollower, rate: FrameRate?)
    /// Linear time code, played at `rate`; if nil, at the nominal rate of the received frame
    /// labels.
    case linearTimecode(LTCFollower, rate: FrameRate?)
    /// A clock that another process serves under a name.
    case shared(SharedClockFollower)
    /// An Ableton Link session.
    case link(LinkFollower)
    /// The transport of a JACK server, whose frames are the position.
    case jack(FrameFollower)
  }

  /// True if the master may start the clock and set its position; the default.
  ///
  /// A clock that is disarmed while it runs continues until the master stops.
  public var isArmed = true
  /// True while the clock runs.
  public internal(set) var isRunning = false
  /// The position at which the clock is stopped, in ticks.
  public internal(set) var standing: Tick = .zero

  /// The follower of this kind of master.
  let master: any Master
  /// The relation of the lane's reference time to host time.
  var reference = ReferenceClock()

  /// Creates a stopped, armed clock that follows a master.
  ///
  /// - Parameters:
  ///   - source: The master.
  ///   - tempoMap: The tempo map of the song.
  ///   - offset: The time code of the song's start; nil by default.
  public init(following source: Source, tempoMap: TempoMap, offset: Timecode? = nil) {
    var song = TimeContext(tempoMap: tempoMap, meterMap: .common)
    song.smpteOffset = offset
    master =
      switch source {
      case .midiClock(let follower): MIDIClockMaster(follower, song)
      case .timecode(let follower, let rate): TimecodeMaster(follower, rate: rate, song)
      case .linearTimecode(let tape, let rate):
        TimecodeMaster(MTCFollower(), hearing: tape, rate: rate, song)
      case .shared(let follower): SharedMaster(follower, song)
      case .link(let follower): LinkMaster(follower, song)
      case .jack(let follower): FrameMaster(follower, song)
      }
  }

  /// Creates a stopped, armed clock that takes its maps and settings from another clock.
  public convenience init(following source: Source, for clock: MusicClock) {
    self.init(following: source, tempoMap: clock.tempoMap, offset: clock.smpteOffset)
    freewheel = clock.freewheel
  }

  /// The kind of master that the clock follows.
  public var mode: SyncMode { master.mode }

  /// The tempo map of the song.
  public internal(set) var tempoMap: TempoMap {
    get { master.song.tempoMap }
    set { master.song.tempoMap = newValue }
  }

  /// The time code of the song's start, or nil if it is not set.
  public internal(set) var offset: Timecode? {
    get { master.song.smpteOffset }
    set { master.song.smpteOffset = newValue }
  }

  /// The time for which the clock continues after the master has stopped sending.
  public var freewheel: Duration {
    get { master.freewheel }
    set { master.freewheel = newValue }
  }

  /// Processes a received event; events that do not concern the master are ignored.
  func take(_ event: HostEvent, payloads: Span<UInt8>) -> FollowerEvents {
    switch event.payload {
    case .message(let message): return master.take(message, at: event.time)
    case .sysEx(let place):
      let range = Int(place.offset)..<Int(place.offset + place.count)
      return master.take(sysEx: payloads.extracting(range), at: event.time)
    case .parameter, .fact, .sysExPart: return FollowerEvents()
    }
  }

  /// The line in ticks at an instant; nil while the clock is stopped.
  func timeline(at time: HostTime) -> Timeline<Tick, HostTime>? {
    isRunning ? master.line(at: time) : nil
  }
}

extension ExternalClock: LaneDriver {
  func position(at time: ReferenceTime) -> TransportPosition {
    if isRunning, master.followsOutput { return outputPosition(at: time) }
    let host = reference.base?.hostTime(of: time)
    guard let host, let line = timeline(at: host) else {
      return TransportPosition(time: time, tick: standing, unwrapped: standing)
    }
    let tick = Tick(line.firstCount(atOrAfter: host))
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  /// The position at an instant of the output's time, constant until the master starts.
  private func outputPosition(at time: ReferenceTime) -> TransportPosition {
    var tick = standing
    if master.hold.map({ time >= $0.start }) ?? true {
      master.forEachPiece(ofOutput: time..<time.advanced(byNanoseconds: 1)) { _, line in
        tick = Tick(line.firstCount(atOrAfter: time))
      }
    }
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  /// Stops the clock at an instant, whatever the master does.
  func stop(at time: ReferenceTime) {
    guard isRunning else { return }
    standing = position(at: time).tick
    isRunning = false
    command(false, at: time)
  }

  /// Notifies a master that can be controlled that the song is started or stopped.
  func command(_ isPlaying: Bool, at time: ReferenceTime) {
    guard let host = reference.base?.hostTime(of: time) else { return }
    master.command(isPlaying, at: host)
  }

  /// The limit for sent events: one clock beyond the master's last clock, so that its stop takes
  /// effect.
  func limit(at position: ReferenceTime, atLeast least: ReferenceTime) -> ReferenceTime {
    guard isRunning else { return position }
    let limit = reference.base.flatMap { base in
      master.releaseLimit(at: base.hostTime(of: position)).map { base.time(at: $0) }
    }
    return max(limit ?? position, least)
  }

  func forEachPiece(of window: ReferenceWindow, _ body: (ClockPiece) -> Void) {
    guard isRunning, let base = reference.base else { return }
    func give(_ part: ReferenceWindow, _ line: Timeline<Tick, ReferenceTime>) {
      let tick = Tick(line.firstCount(atOrAfter: part.lowerBound))
      body(
        ClockPiece(
          window: part, timeline: line,
          position: TransportPosition(time: part.lowerBound, tick: tick, unwrapped: tick),
          loopedFrom: nil))
    }
    if master.followsOutput {
      let start = max(window.lowerBound, master.hold?.start ?? window.lowerBound)
      return master.forEachPiece(ofOutput: start..<max(start, window.upperBound), give)
    }
    master.forEachPiece(of: base.hostWindow(of: window)) { part, line in
      give(base.window(of: part), base.line(of: line))
    }
  }

  var nanosecondsPerQuarter: Ratio? { master.nanosecondsPerQuarter }

  func motion(at now: ReferenceTime, on base: TimeBase) -> LaneMotion? {
    let host = base.hostTime(of: now)
    return timeline(at: host).map { LaneMotion(line: $0, start: host, isExternal: true) }
  }

  func followed(at now: ReferenceTime) -> ClockSnapshot.Followed? {
    ClockSnapshot.Followed(
      line: reference.base.flatMap { timeline(at: $0.hostTime(of: now)) }, standing: standing,
      mode: mode, isArmed: isArmed, lock: master.lock, tempo: master.tempo,
      estimate: master.estimate, isUncertain: master.isUncertain, servedEdition: master.edition)
  }
}
