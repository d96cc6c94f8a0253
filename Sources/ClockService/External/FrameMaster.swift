// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// JACK's transport as a master.
///
/// It provides beats, or frames, which the tempo map converts to ticks.
final class FrameMaster: Master {
  /// The time in nanoseconds by which events may be sent ahead; the transport can stop at any time.
  private static let ahead: Int64 = 30_000_000

  var song: TimeContext
  /// Not used: the song stops at once if the server disappears.
  var freewheel: Duration = .seconds(1)
  private var follower: FrameFollower
  private var tick: Tick = .zero

  init(_ follower: FrameFollower, _ song: TimeContext) {
    (self.follower, self.song) = (follower, song)
  }

  var mode: SyncMode { .jack }
  var lock: LockState { follower.frames.isThere ? .locked : .idle }
  var isMoving: Bool { follower.isRunning }

  var nanosecondsPerQuarter: Ratio? {
    follower.beats.map { Ratio($0.nanosecondsPerQuarter) }
  }

  var tempo: FollowedTempo? {
    guard let beats = follower.beats else { return nil }
    let tempo = 60e9 / Double(beats.nanosecondsPerQuarter)
    return FollowedTempo(
      beatsPerMinute: tempo, deviation: 0, shownHundredths: Int((tempo * 100).rounded()))
  }

  func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    let change = follower.advance()
    if case .none = change { return events }
    tick = firstTick(at: follower.firstFrame)
    switch change {
    case .none: break
    case .started: events.append(.started(place, at: now))
    case .restarted:
      events.append(.stopped(.stopMessage, place))
      events.append(.started(place, at: now))
    case .stopped: events.append(.stopped(.stopMessage, place))
    case .lost:
      events.append(.lost)
      events.append(.stopped(.sourceLost, place))
    case .jumped: events.append(.jumped(place))
    case .located: events.append(.located(place))
    }
    return events
  }

  func releaseLimit(at now: HostTime) -> HostTime? {
    follower.isRunning ? now.advanced(saturating: Self.ahead) : nil
  }

  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    guard follower.isRunning, !window.isEmpty else { return }
    if let line = rescaled(follower.quarters) { return body(window, line) }
    song.tempoMap.forEachPiece(of: window, along: follower.media, shift: 0, body)
  }

  var followsOutput: Bool { follower.frames.output != nil }
  var hold: MasterHold? { follower.hold }

  func forEachPiece(
    ofOutput window: ReferenceWindow,
    _ body: (ReferenceWindow, Timeline<Tick, ReferenceTime>) -> Void
  ) {
    guard follower.isRunning, !window.isEmpty else { return }
    if let line = rescaled(follower.outputQuarters) { return body(window, line) }
    do throws(TimeError) {
      guard let origin = try follower.outputOrigin else { return }
      try song.tempoMap.forEachPiece(of: window, startingAt: origin, body)
    } catch {
      // Outside the range of 64 bits nothing is played.
      return
    }
  }

  func line(at time: HostTime) -> Timeline<Tick, HostTime>? {
    var line: Timeline<Tick, HostTime>?
    forEachPiece(of: time..<time.advanced(byNanoseconds: 1)) { line = $1 }
    return line
  }

  func tick(of position: FollowedPosition) -> Tick { tick }

  /// The line of another program's beats in the song's ticks; nil without beats, or if ticks are
  /// not fractions of a beat.
  private func rescaled<Time>(_ beats: Timeline<Tick, Time>?) -> Timeline<Tick, Time>? {
    guard case .ppqn(let resolution) = song.tempoMap.division else { return nil }
    return beats?.rescaled(multiplier: Int64(resolution.ticks), over: 1_000_000)
  }

  /// The first tick at or after a frame of the transport.
  private func firstTick(at frame: Int64) -> Tick {
    let frames = follower.frames
    if case .ppqn(let resolution) = song.tempoMap.division, let beats = follower.beats {
      let quarters = max(0, Int128(beats.quarters(at: frame, frames.rate)))
      return Tick(Int64(clamping: (quarters * Int128(resolution.ticks) + 999_999) / 1_000_000))
    }
    do throws(TimeError) {
      let seconds = Ratio(max(0, frame), over: Int64(frames.rate.hertz))
      return try song.firstTick(of: .seconds(seconds))
    } catch {
      // Outside the range of 64 bits nothing is played.
      return Tick(.max)
    }
  }

  /// The position for events, in MIDI clocks, rounded down.
  private var place: FollowedPosition {
    guard case .ppqn(let ours) = song.tempoMap.division else {
      return .clock(MIDIClock(count: 0))
    }
    let clocks = (Int128(tick.value) * 24) / Int128(ours.ticks)
    return .clock(MIDIClock(count: Int64(clamping: clocks)))
  }
}
