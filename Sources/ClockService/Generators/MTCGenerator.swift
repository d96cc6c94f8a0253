// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Sends MIDI time code: quarter frames while the clock runs, and a full frame after a locate and
/// at the start.
///
/// There are four quarter frames per frame. A complete time code takes eight quarter frames, and is
/// that of the frame in which the first one is sent. The times of quarter frames are calculated
/// from the tempo map, the offset and the timeline, and rounded up to a nanosecond. If the song is
/// played at another speed, the time between quarter frames changes accordingly. Drop-frame
/// counting skips labels, but all eight pieces of a time code are sent. Rates above 30 frames per
/// second are divided by `FrameRate.mtcFrameDivisor`.
///
/// Source: MIDI Time Code (RP-004/RP-008).
///
/// - Note: Called on the event thread only, or by the thread that drives the scheduler offline.
public final class MTCGenerator: ClockGenerator {
  /// The track number of the generator's events, with which MIDI time code can have separate
  /// routes.
  public static let track = TimedEvent.noTrack - 2

  /// The time code of the song's start.
  ///
  /// Time code is sent at its frame rate.
  public private(set) var offset: Timecode
  /// True if the song is played backwards; false by default.
  ///
  /// The counts of a timeline are then ticks times −1.
  ///
  /// A change takes effect with the next `locate(to:)` or `prepareStart(at:time:)`.
  public var isReversed = false

  private var tempoMap: TempoMap
  /// The next quarter frame to send, counted from time code 00:00:00:00.
  private var owed: Int64 = 0
  private var origin: Int64 = 0
  private var runsBackwards = false
  private var fullFrame: Tick?
  private var sentFullFrame: (tick: Tick, time: ReferenceTime)?
  private var label: (cycle: Int64, time: MTCTime)?
  private var lastTimeline: Timeline<Tick, ReferenceTime>?
  /// The next end of a loop, and the state before those that were passed recently, to which a
  /// cancellation returns.
  private var nextJump: (time: ReferenceTime, tick: Tick)?
  private var jumps: [Jump] = []

  /// The time of a jump at the end of a loop, and the state before it.
  private struct Jump {
    let time: ReferenceTime
    let owed, origin: Int64
    let fullFrame: Tick?
    let sentFullFrame: (tick: Tick, time: ReferenceTime)?
    let lastTimeline: Timeline<Tick, ReferenceTime>?
  }

  /// Creates a generator that is stopped at the song's start.
  ///
  /// - Parameters:
  ///   - tempoMap: The tempo map of the song, in whose ticks positions are given.
  ///   - offset: The time code of the song's start, at the rate to be sent.
  public init(tempoMap: TempoMap, offset: Timecode) {
    self.tempoMap = tempoMap
    self.offset = offset
  }

  /// Moves the generator to a tick, and sends followers a full frame.
  public func locate(to tick: Tick) {
    if let nextJump, nextJump.tick == tick {
      jumps.append(
        Jump(
          time: nextJump.time, owed: owed, origin: origin, fullFrame: fullFrame,
          sentFullFrame: sentFullFrame, lastTimeline: lastTimeline))
    }
    nextJump = nil
    prepareStart(at: tick, time: nil)
  }

  /// Prepares a start at a tick, and sends followers a full frame before the first quarter frame.
  public func prepareStart(at tick: Tick, time: ReferenceTime?) {
    runsBackwards = isReversed
    fullFrame = tick
    owe(from: tick)
  }

  /// Sets the next quarter frame to the one at a tick.
  private func owe(from tick: Tick) {
    do {
      let position = try quarterFrame(at: tick)
      owed = try Int64(
        clamping: position.rounded(runsBackwards ? .floor : .ceil, unit: "quarter frames").value)
    } catch {
      // Outside the range of 128 bits: not reached.
      owed = .max / 8
    }
    origin = owed
  }

  /// Stores a jump at the end of a loop, which may still be cancelled; messages are not sent before
  /// the jump.
  public func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64
  ) {
    nextJump = (time, tick)
    let forgotten = window.lowerBound.advanced(byNanoseconds: -Self.memory)
    jumps.removeAll { $0.time < forgotten }
  }

  /// The longest time from an event to its cancellation, in nanoseconds.
  private static let memory: Int64 = 1_000_000_000

  /// Stops sending quarter frames at an instant.
  public func stop(at time: ReferenceTime) {
    rewind(to: time)
  }

  /// Replaces the tempo map.
  ///
  /// If that changes the time code of the current tick, followers receive a full frame.
  public func use(_ tempoMap: TempoMap, at tick: Tick) {
    let isSamePlace = tempoMap.seconds(at: tick) == self.tempoMap.seconds(at: tick)
    self.tempoMap = tempoMap
    // Quarter frames sent with the other map may be audible.
    if isSamePlace { origin = owed } else { locate(to: tick) }
  }

  /// Changes the time code of the song's start, and sends followers a full frame.
  public func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick) {
    self.offset = offset ?? Timecode(frame: 0, rate: rate ?? self.offset.rate)
    label = nil
    locate(to: tick)
  }

  /// Cancels the messages due at or after an instant; they are sent again by later windows.
  public func rewind(to time: ReferenceTime) {
    nextJump = nil
    if let index = jumps.firstIndex(where: { $0.time >= time }) {
      let jump = jumps[index]
      jumps.removeSubrange(index...)
      (owed, origin, lastTimeline) = (jump.owed, jump.origin, jump.lastTimeline)
      (fullFrame, sentFullFrame) = (jump.fullFrame, jump.sentFullFrame)
    }
    if let sentFullFrame, sentFullFrame.time >= time { fullFrame = fullFrame ?? sentFullFrame.tick }
    guard let lastTimeline else { return }
    while owed != origin, self.time(of: owed - step, along: lastTimeline) >= time { owed -= step }
  }

  /// Appends the quarter frames that are due in a window of time to a buffer, after a full frame if
  /// one is pending.
  public func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer
  ) {
    emitFullFrame(at: window.lowerBound, into: &buffer)
    lastTimeline = timeline
    for _ in 0..<window.mostMessages {
      let due = time(of: owed, along: timeline)
      guard due < window.upperBound, let time = label(ofCycle: owed >> 3) else { return }
      let message = Message(status: 0xF1, data1: time.quarterFrame(Int(owed & 7)))
      buffer.append(
        TimedEvent(time: max(due, window.lowerBound), payload: .message(message), track: Self.track)
      )
      owed += step
    }
    leaveOut(before: window.upperBound, along: timeline)
  }

  /// Skips the quarter frames that remain at the end of a window, for example if a clock runs a
  /// million times too fast.
  private func leaveOut(
    before end: ReferenceTime, along timeline: Timeline<Tick, ReferenceTime>
  ) {
    let count = timeline.firstCount(atOrAfter: end)
    owe(from: Tick(runsBackwards ? 0 &- count : count))
  }

  /// Appends a pending full frame to a buffer, in a window in which the clock is stopped.
  public func emitStanding(
    _ window: ReferenceWindow, nanosecondsPerQuarter quarter: Ratio, into buffer: inout EventBuffer
  ) {
    emitFullFrame(at: window.lowerBound, into: &buffer)
  }

  private var step: Int64 { runsBackwards ? -1 : 1 }

  /// Quarter frames per second; at 29.97 this differs from the count of labels.
  private var perSecond: Ratio {
    let rate = offset.rate
    return Ratio(4 * rate.fpsNumerator, over: rate.fpsDenominator * rate.mtcFrameDivisor)
  }

  private func quarterFrameOffset() throws(TimeError) -> Ratio {
    try offset.frames * Ratio(4, over: offset.rate.mtcFrameDivisor)
  }

  private func quarterFrame(at tick: Tick) throws(TimeError) -> Ratio {
    try tempoMap.seconds(at: tick) * perSecond + quarterFrameOffset()
  }

  private func time(of quarterFrame: Int64, along timeline: Timeline<Tick, ReferenceTime>)
    -> ReferenceTime
  {
    do {
      let seconds = try (Ratio(quarterFrame) - quarterFrameOffset()) / perSecond
      let ticks = try tempoMap.ticks(atSeconds: seconds)
      return timeline.timeRoundedUp(atPosition: runsBackwards ? -ticks : ticks)
    } catch {
      // Outside the range of 128 bits: never.
      return ReferenceTime(nanoseconds: .max)
    }
  }

  /// The time code of a cycle of eight quarter frames, which is two frames.
  private func label(ofCycle cycle: Int64) -> MTCTime? {
    if let label, label.cycle == cycle { return label.time }
    let frame = cycle * 2 * offset.rate.mtcFrameDivisor
    guard let time = Self.time(Timecode(frame: frame, rate: offset.rate)) else { return nil }
    label = (cycle, time)
    return time
  }

  private static func time(_ timecode: Timecode) -> MTCTime? {
    do {
      return try MTCTime.at(timecode, rounding: .floor).value
    } catch {
      // Cannot happen: a wrapped label always exists.
      return nil
    }
  }

  private func emitFullFrame(at time: ReferenceTime, into buffer: inout EventBuffer) {
    guard let tick = fullFrame else { return }
    fullFrame = nil
    sentFullFrame = (tick, time)
    guard let label = frame(at: tick).flatMap(Self.time) else { return }
    let bytes = label.fullFrame()
    let payload = bytes.span.extracting(1..<bytes.count - 1)
    buffer.append(sysEx: payload, time: time, track: Self.track, generation: 0)
  }

  private func frame(at tick: Tick) -> Timecode? {
    do {
      let exact = try tempoMap.seconds(at: tick) * offset.rate.framesPerSecond + offset.frames
      let whole = try exact.rounded(.floor, unit: "frames").value
      return Timecode(frame: Int64(clamping: whole), rate: offset.rate)
    } catch {
      // Outside the range of 128 bits: unknown.
      return nil
    }
  }
}
