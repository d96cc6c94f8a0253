// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// MIDI or linear time code as a master.
///
/// It provides seconds, which the tempo map and the offset convert to ticks.
final class TimecodeMaster: Master {
  var song: TimeContext
  private var follower: MTCFollower
  /// The source of quarter frames that do not arrive at a MIDI port.
  private var tape: LTCFollower?
  private let rate: FrameRate?

  init(
    _ follower: MTCFollower, hearing tape: LTCFollower? = nil, rate: FrameRate?,
    _ song: TimeContext
  ) {
    (self.follower, self.tape, self.rate, self.song) = (follower, tape, rate, song)
  }

  var mode: SyncMode { .timecode }
  var lock: LockState { follower.lock }
  var estimate: TickEstimate? { follower.estimate }
  var isMoving: Bool { follower.transport == .running }

  var freewheel: Duration {
    get { follower.settings.freewheel }
    set { follower.settings.freewheel = newValue }
  }

  func take(_ message: Message, at time: HostTime) -> FollowerEvents {
    follower.take(message, at: time)
  }

  func take(sysEx bytes: Span<UInt8>, at time: HostTime) -> FollowerEvents {
    follower.take(sysEx: bytes, at: time)
  }

  func advance(to now: HostTime) -> FollowerEvents {
    // The events of one quarter frame are returned before those of the next.
    while let (message, time) = tape?.next(at: now) {
      let events = follower.take(message, at: time)
      if !events.isEmpty { return events }
    }
    return follower.advance(to: now)
  }

  /// The limit for sent events.
  ///
  /// Events on the last released quarter frame are included, although the tempo map may place them
  /// slightly after it.
  func releaseLimit(at now: HostTime) -> HostTime? {
    follower.releaseLimit(at: now)?.advanced(saturating: Self.nearness)
  }

  /// The largest distance of an event on a quarter frame from it, in nanoseconds.
  private static let nearness: Int64 = 250_000

  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    let place = follower.position
    follower.forEachPiece(of: window) { part, quarterFrames in
      forEachTempo(of: part, quarterFrames, place, body)
    }
  }

  func line(at time: HostTime) -> Timeline<Tick, HostTime>? {
    var line: Timeline<Tick, HostTime>?
    if let quarterFrames = follower.piece(at: time) {
      let window = time..<time.advanced(byNanoseconds: 1)
      forEachTempo(of: window, quarterFrames, follower.position) { line = $1 }
    }
    return line
  }

  func tick(of position: FollowedPosition) throws(TimeError) -> Tick {
    guard case .timecode(let place) = position else {
      preconditionFailure("internal error: the position is not a time code")
    }
    let rate = rate(of: place)
    let seconds = try Ratio(place.count) / (rate.framesPerSecond * 4) - offsetSeconds(rate, place)
    return try song.firstTick(of: .seconds(seconds))
  }

  /// The actual frame rate of a position.
  private func rate(of place: QuarterFrameCount) -> FrameRate {
    rate ?? FrameRate(mtcCode: place.code)
  }

  /// The offset in seconds at a rate; its label applies, whatever rate the label was given at.
  ///
  /// If the position is more than half a day before the offset, it is after midnight, and the song
  /// began the day before.
  private func offsetSeconds(
    _ rate: FrameRate, _ place: QuarterFrameCount
  ) throws(TimeError) -> Ratio {
    guard let offset = song.smpteOffset else { return .zero }
    let before = try offset.frames * 4 - Ratio(place.count)
    let isDayBefore = before > Ratio(2 * rate.framesPerDay)
    let frames = isDayBefore ? try offset.frames - Ratio(rate.framesPerDay) : offset.frames
    return try frames / rate.framesPerSecond
  }

  /// Calls `body` for each part of a window in which time code and tempo map give one line.
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
      song.tempoMap.forEachPiece(
        of: window, along: media, shift: Int64(clamping: shift), body)
    } catch {
      // Outside the range of 64 bits nothing is played.
      return
    }
  }
}
