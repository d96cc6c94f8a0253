// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Sends MIDI Time Code: quarter frames while the clock runs, a full frame on locate and start.
///
/// Four quarter frames a frame, eight to a label, whose time is that of its piece 0. They fall
/// where tempo map, offset and timeline say, rounded up to a nanosecond; a timeline that runs at
/// another rate spaces them wider or closer. Labels that drop-frame counting skips are skipped, the
/// cycle of pieces never. Rates above 30 frames a second go out divided by
/// `FrameRate.mtcFrameDivisor`.
///
/// Source: MIDI Time Code (RP-004/RP-008).
///
/// - Note: called on the event thread only, or by whoever drives the scheduler offline.
public final class MTCGenerator: ClockGenerator {
  /// The track of its events, so that time code can have routes of its own.
  public static let track = TimedEvent.noTrack - 2

  /// The label at the sequence's start; its rate is the rate that is sent.
  public private(set) var offset: Timecode
  /// Whether time runs backwards: the counts of a timeline are then ticks times −1; false by
  /// default.
  ///
  /// Takes effect with the next `locate(to:)` or `prepareStart(at:time:)`.
  public var isReversed = false

  private var tempoMap: TempoMap
  /// The quarter frame owed next, counted from label 00:00:00:00.
  private var owed: Int64 = 0
  private var origin: Int64 = 0
  private var runsBackwards = false
  private var fullFrame: Tick?
  private var sentFullFrame: (tick: Tick, time: ReferenceTime)?
  private var label: (cycle: Int64, time: MTCTime)?
  private var lastTimeline: Timeline<Tick, ReferenceTime>?
  /// The end of a loop that comes next, and how it was before those that were passed lately: they
  /// may be taken back.
  private var nextJump: (time: ReferenceTime, tick: Tick)?
  private var jumps: [Jump] = []

  /// When a loop went back, and what was owed before.
  private struct Jump {
    let time: ReferenceTime
    let owed, origin: Int64
    let fullFrame: Tick?
    let sentFullFrame: (tick: Tick, time: ReferenceTime)?
    let lastTimeline: Timeline<Tick, ReferenceTime>?
  }

  /// Creates a generator that stands at the sequence's start.
  ///
  /// - Parameters:
  ///   - tempoMap: The map whose ticks the timelines count.
  ///   - offset: The label at the sequence's start, at the rate to be sent.
  public init(tempoMap: TempoMap, offset: Timecode) {
    self.tempoMap = tempoMap
    self.offset = offset
  }

  /// Moves to a tick, and tells followers by a full frame.
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

  /// Moves to a tick, and tells followers by a full frame: it is there before the first piece.
  public func prepareStart(at tick: Tick, time: ReferenceTime?) {
    runsBackwards = isReversed
    fullFrame = tick
    owe(from: tick)
  }

  /// Owes what is due from a tick on.
  private func owe(from tick: Tick) {
    do {
      let position = try quarterFrame(at: tick)
      owed = try Int64(
        clamping: position.rounded(runsBackwards ? .floor : .ceil, unit: "quarter frames").value)
    } catch {
      // Past what 128 bits hold: nothing is owed there.
      owed = .max / 8
    }
    origin = owed
  }

  /// Notes that the place will be left, which may be taken back: of a move nothing is sent before.
  public func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64
  ) {
    nextJump = (time, tick)
    let forgotten = window.lowerBound.advanced(byNanoseconds: -Self.memory)
    jumps.removeAll { $0.time < forgotten }
  }

  /// How long a cancellation can come after what it cancels was emitted, in nanoseconds.
  private static let memory: Int64 = 1_000_000_000

  /// Announces that the clock stops at an instant: nothing more is sent.
  public func stop(at time: ReferenceTime) {
    rewind(to: time)
  }

  /// Counts in another map; where that moves the label of the tick, followers are told.
  public func use(_ tempoMap: TempoMap, at tick: Tick) {
    let isSamePlace = tempoMap.seconds(at: tick) == self.tempoMap.seconds(at: tick)
    self.tempoMap = tempoMap
    // What was sent by the other map has been heard.
    if isSamePlace { origin = owed } else { locate(to: tick) }
  }

  /// Labels from another start, and tells followers.
  public func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick) {
    self.offset = offset ?? Timecode(frame: 0, rate: rate ?? self.offset.rate)
    label = nil
    locate(to: tick)
  }

  /// Owes again what was due at or after an instant.
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

  /// Appends the quarter frames of the window.
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

  /// Goes on at the end of a window in which more is due, as where a clock runs a million times too
  /// fast.
  private func leaveOut(
    before end: ReferenceTime, along timeline: Timeline<Tick, ReferenceTime>
  ) {
    let count = timeline.firstCount(atOrAfter: end)
    owe(from: Tick(runsBackwards ? 0 &- count : count))
  }

  /// Appends the full frame of a locate: nothing else is sent while the clock stands.
  public func emitStanding(
    _ window: ReferenceWindow, nanosecondsPerQuarter quarter: Ratio, into buffer: inout EventBuffer
  ) {
    emitFullFrame(at: window.lowerBound, into: &buffer)
  }

  private var step: Int64 { runsBackwards ? -1 : 1 }

  /// The quarter frames a second; label and speed may count apart, as at 29.97.
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
      // Past what 128 bits hold: never.
      return ReferenceTime(nanoseconds: .max)
    }
  }

  /// The label of a cycle of eight pieces: two frames of Time Code.
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
      // A wrapped label always exists.
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
      // Past what 128 bits hold: no label.
      return nil
    }
  }
}
