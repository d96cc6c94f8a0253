// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicalTime

/// A clock that another machine or process drives, in the ticks of what is played.
///
/// MIDI clock gives beats; time code, of MIDI or linear, gives seconds, which the tempo map and the
/// offset make ticks of; a shared clock of another process gives both, a session of Link beats,
/// JACK's transport frames. Tempo, start, stop and position are the master's: the play rate cannot
/// be chosen here.
///
/// - Note: owned by the event thread.
public final class ExternalClock {
  /// What is followed.
  public enum Source: Sendable {
    /// MIDI beat clock.
    case midiClock(MIDIClockFollower)
    /// MIDI time code, at a true frame rate; nil takes the rate that the format stands for.
    case timecode(MTCFollower, rate: FrameRate?)
    /// Linear timecode, at a true frame rate; nil takes the rate that its labels stand for.
    case linearTimecode(LTCFollower, rate: FrameRate?)
    /// A clock that another process serves.
    case shared(SharedClockFollower)
    /// A session of Ableton Link.
    case link(LinkFollower)
    /// The transport of a JACK server.
    case jack(FrameFollower)
  }

  /// Whether the master may start the clock and set its position; true by default.
  ///
  /// Disarmed while it runs, it runs on until the master stops.
  public var isArmed = true
  /// Whether the clock runs.
  public internal(set) var isRunning = false
  /// Where the clock stands while it does not run.
  public internal(set) var standing: Tick = .zero

  /// What follows this kind of master.
  let master: any Master
  /// Where the time of the lane that it drives lies on the host's clock.
  var reference = ReferenceClock()

  /// Creates a clock that stands and is armed.
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

  /// Creates a clock that stands and is armed, in the maps and with the settings of another.
  public convenience init(following source: Source, for clock: MusicClock) {
    self.init(following: source, tempoMap: clock.tempoMap, offset: clock.smpteOffset)
    freewheel = clock.freewheel
  }

  /// What kind of clock is followed.
  public var mode: SyncMode { master.mode }

  /// The map whose ticks are counted.
  public internal(set) var tempoMap: TempoMap {
    get { master.song.tempoMap }
    set { master.song.tempoMap = newValue }
  }

  /// The label at the sequence's start, for time code.
  public internal(set) var offset: Timecode? {
    get { master.song.smpteOffset }
    set { master.song.smpteOffset = newValue }
  }

  /// How long motion goes on without the master.
  public var freewheel: Duration {
    get { master.freewheel }
    set { master.freewheel = newValue }
  }

  /// Takes a received event; nothing happens where it is no business of the source.
  func take(_ event: HostEvent, payloads: Span<UInt8>) -> FollowerEvents {
    switch event.payload {
    case .message(let message): return master.take(message, at: event.time)
    case .sysEx(let place):
      let range = Int(place.offset)..<Int(place.offset + place.count)
      return master.take(sysEx: payloads.extracting(range), at: event.time)
    case .parameter, .fact, .sysExPart: return FollowerEvents()
    }
  }

  /// The line in ticks that holds at an instant; nil while nothing runs.
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

  /// Where it stands at an instant of the output's time, which is its place until the master starts.
  private func outputPosition(at time: ReferenceTime) -> TransportPosition {
    var tick = standing
    if master.hold.map({ time >= $0.start }) ?? true {
      master.forEachPiece(ofOutput: time..<time.advanced(byNanoseconds: 1)) { _, line in
        tick = Tick(line.firstCount(atOrAfter: time))
      }
    }
    return TransportPosition(time: time, tick: tick, unwrapped: tick)
  }

  /// Stops the clock where it is at an instant, whatever the master does.
  func stop(at time: ReferenceTime) {
    guard isRunning else { return }
    standing = position(at: time).tick
    isRunning = false
    command(false, at: time)
  }

  /// Tells a master that may be led that its follower is started or stopped.
  func command(_ isPlaying: Bool, at time: ReferenceTime) {
    guard let host = reference.base?.hostTime(of: time) else { return }
    master.command(isPlaying, at: host)
  }

  /// Nothing goes out past its last clock and one more: one that stops must be able to stop us.
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
