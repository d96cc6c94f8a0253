// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A musical clock: a tempo map that starts at an instant.
///
/// The clock divides a window of reference time into segments. In each segment, one linear mapping
/// converts ticks to time, so event sources need not know about tempo changes or the end of a loop.
/// The position is calculated from the time since the last change. The position is therefore
/// available for any instant since then, in any order, and does not drift in long runs or after
/// many passes of a loop.
///
/// - Note: Owned by the event thread, or by the thread that drives the scheduler offline.
public struct MusicClock: Sendable {
  /// The tempo map of the song; a `tempoOverride` replaces its tempi.
  public private(set) var tempoMap: TempoMap
  /// The tempo set by hand, which replaces those of the tempo map until the clock stops; nil for
  /// none.
  public private(set) var tempoOverride: Tempo?
  /// The exact play rate: 1 plays at the written tempo, 2 twice as fast.
  public private(set) var playRate: Ratio
  /// The range that is repeated; nil for none.
  public var loop: LoopRange? { run.loop }
  /// True while the clock runs, or is about to start.
  public private(set) var isRunning = false
  /// The meter map from which bars and beats are calculated; 4/4 by default.
  public var meterMap = MeterMap.common
  /// The frame rate of positions in time code; nil if it is not set.
  public var frameRate: FrameRate?
  /// The time code of tick 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode?
  /// The sample rate of positions in samples; nil if it is not set.
  public var sampleRate: SampleRate?
  /// The time for which the clock continues after its master has stopped sending; 1 s by default.
  public var freewheel: Duration = .seconds(1)

  /// The effective tempo map: that of the song, or one with the tempo set by hand.
  private(set) var mapInForce: TempoMap
  /// The number of changes of the tempo map.
  private(set) var edition: UInt32 = 0
  private(set) var scale: TransportScale?
  private(set) var run: Run

  /// The state after a change of the transport, from which all positions since are calculated.
  struct Run: BitwiseCopyable, Sendable {
    var anchor: TransportAnchor
    /// The unwrapped tick minus the tick.
    var offset: Int64 = 0
    var loop: LoopRange?
    /// The number of jumps of the loop before the anchor.
    var pass = 0
  }

  /// The state of a clock without its maps, from which another thread can calculate positions.
  public struct State: BitwiseCopyable, Sendable {
    /// True while the clock runs, or is about to start.
    public let isRunning: Bool
    /// The play rate: 1 plays at the written tempo.
    public let playRate: Ratio
    /// The tempo set by hand; nil for none.
    public let tempoOverride: Tempo?
    let edition: UInt32
    fileprivate let scale: TransportScale?
    fileprivate let run: Run
  }

  /// The state of the clock without its maps.
  public var state: State {
    State(
      isRunning: isRunning, playRate: playRate, tempoOverride: tempoOverride, edition: edition,
      scale: scale, run: run)
  }

  /// Replaces the clock's state by that of another clock.
  ///
  /// - Precondition: Both clocks have the same tempo map.
  public mutating func adopt(_ state: State) {
    (isRunning, playRate, edition) = (state.isRunning, state.playRate, state.edition)
    (scale, run) = (state.scale, state.run)
    tempoOverride = state.tempoOverride
    mapInForce = Self.map(tempoMap, overriddenBy: tempoOverride)
  }

  /// The fastest supported play rate: 32 times the written tempo.
  public static let maximumPlayRate: Ratio = 32

  /// Creates a clock that is stopped at tick 0, with a play rate of 1.
  public init(tempoMap: TempoMap) {
    self.tempoMap = tempoMap
    mapInForce = tempoMap
    playRate = 1
    run = Run(anchor: tempoMap.anchor(at: .zero, time: .zero))
  }

  /// Creates a clock that is stopped at tick 0.
  ///
  /// - Throws: The errors of `setPlayRate(_:at:)`.
  public init(tempoMap: TempoMap, playRate: Ratio) throws(TimeError) {
    self.init(tempoMap: tempoMap)
    try setPlayRate(playRate, at: .zero)
  }

  /// The instant at which the clock started, or was last changed.
  var startTime: ReferenceTime { run.anchor.time }

  /// Starts the clock, so that `tick` sounds at `time`.
  ///
  /// - Throws: `TimeError` if the tempo map at this play rate cannot be calculated in fractions of
  ///   64-bit integers.
  public mutating func start(from tick: Tick, at time: ReferenceTime) throws(TimeError) {
    locate(to: tick, at: time)
    try start(at: time)
  }

  /// Starts the clock from its current position, which may be between ticks.
  ///
  /// - Throws: `TimeError` if the tempo map at this play rate cannot be calculated in fractions of
  ///   64-bit integers.
  public mutating func start(at time: ReferenceTime) throws(TimeError) {
    scale = try TransportScale(mapInForce, playRate: playRate)
    run.anchor = run.anchor.moved(to: time)
    isRunning = true
  }

  /// Stops the clock at an instant, and removes a tempo set by hand.
  ///
  /// Until the clock is started again, windows are empty.
  public mutating func stop(at time: ReferenceTime) {
    hold(at: time)
    isRunning = false
    guard tempoOverride != nil else { return }
    tempoOverride = nil
    run.anchor = mapInForce.anchor(run.anchor, in: tempoMap)
    mapInForce = tempoMap
  }

  /// Moves to a tick, which sounds at `time` if the clock runs, and counts passes of the loop from
  /// 0.
  public mutating func locate(to tick: Tick, at time: ReferenceTime) {
    run = Run(anchor: mapInForce.anchor(at: tick, time: time), loop: run.loop)
  }

  /// Moves to a position between ticks, which sounds at `time` if the clock runs.
  ///
  /// The position is rounded down to 2⁻¹⁶ of the tempo map's smallest unit, about 3·10⁻¹⁶ s at 480
  /// PPQN.
  ///
  /// - Throws: `TimeError.overflow` if the tick does not fit in 64 bits.
  public mutating func locate(toTicks ticks: Ratio, at time: ReferenceTime) throws(TimeError) {
    run = Run(anchor: try mapInForce.anchor(atTicks: ticks, time: time), loop: run.loop)
  }

  /// Changes the play rate from an instant on.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` unless the rate is above 0 and at most 32;
  ///   `TimeError.overflow` if the tempo map at this rate cannot be calculated in fractions of
  ///   64-bit integers.
  public mutating func setPlayRate(_ rate: Ratio, at time: ReferenceTime) throws(TimeError) {
    guard rate > 0, rate <= Self.maximumPlayRate else {
      throw .fieldOutOfRange(field: "play rate", value: "\(rate)", range: "above 0, at most 32")
    }
    let scale = try TransportScale(mapInForce, playRate: rate)
    hold(at: time)
    playRate = rate
    self.scale = scale
  }

  /// Sets the range that is repeated, from an instant on; nil ends the repetition.
  ///
  /// The loop only has an effect if the position is before its end.
  public mutating func setLoop(_ loop: LoopRange?, at time: ReferenceTime) {
    hold(at: time)
    run.loop = loop
    run.pass = 0
  }

  /// Replaces the tempo map; the position in ticks stays the same.
  ///
  /// - Throws: `TimeError` if the new map at the current play rate cannot be calculated in
  ///   fractions of 64-bit integers.
  public mutating func setTempoMap(_ map: TempoMap, at time: ReferenceTime) throws(TimeError) {
    try use(Self.map(map, overriddenBy: tempoOverride), at: time)
    tempoMap = map
    edition &+= 1
  }

  /// Sets a tempo by hand, from an instant until the clock stops; nil returns to the tempi of the
  /// map.
  ///
  /// The position in ticks stays the same. If the ticks are parts of SMPTE frames, the tempo is
  /// ignored.
  ///
  /// - Throws: `ClockError.stands` if the clock is stopped; `ClockError.time` if the tempo at this
  ///   play rate cannot be calculated in fractions of 64-bit integers.
  public mutating func setTempo(_ tempo: Tempo?, at time: ReferenceTime) throws(ClockError) {
    guard isRunning else { throw .stands("tempo") }
    do {
      try use(Self.map(tempoMap, overriddenBy: tempo), at: time)
    } catch {
      throw .time(error)
    }
    tempoOverride = tempo
  }

  /// Checks that a tempo could be set by hand.
  ///
  /// - Throws: `TimeError.overflow` if it and the play rate do not fit in fractions of 64-bit
  ///   integers.
  func check(_ tempo: Tempo?) throws(TimeError) {
    guard let tempo else { return }
    _ = try TransportScale(Self.map(tempoMap, overriddenBy: tempo), playRate: playRate)
  }

  /// Makes a map effective; the position in ticks stays the same.
  private mutating func use(_ map: TempoMap, at time: ReferenceTime) throws(TimeError) {
    let scale = try TransportScale(map, playRate: playRate)
    hold(at: time)
    run.anchor = mapInForce.anchor(run.anchor, in: map)
    mapInForce = map
    self.scale = scale
  }

  private static func map(_ written: TempoMap, overriddenBy tempo: Tempo?) -> TempoMap {
    guard let tempo, case .ppqn(let resolution) = written.division else { return written }
    return TempoMap(ppqn: resolution, tempo: tempo)
  }

  /// An identity of a set of maps.
  struct Maps: Hashable, Sendable {
    fileprivate var edition: UInt32
    fileprivate var tempo: Tempo?
    fileprivate var meterMap: MeterMap
  }

  /// The identity of the effective maps.
  var mapsInForce: Maps { Maps(edition: edition, tempo: tempoOverride, meterMap: meterMap) }

  /// The maps and rates from which positions are converted between formats.
  public var timeContext: TimeContext {
    var context = TimeContext(tempoMap: tempoMap, meterMap: meterMap)
    context.frameRate = frameRate
    context.smpteOffset = smpteOffset
    context.sampleRate = sampleRate
    return context
  }

  /// Makes an instant the new anchor; positions before it are not available any more.
  mutating func hold(at time: ReferenceTime) {
    guard isRunning, time > run.anchor.time else { return }
    let now = standing(at: time)
    run.anchor = now.place
    run.offset = now.offset
    run.pass = now.pass
  }

  /// Returns the position at an instant.
  ///
  /// Before the clock has started, the start position is returned.
  ///
  /// - Complexity: O(log n) in the number of tempo changes.
  public func position(at time: ReferenceTime) -> TransportPosition {
    let now = standing(at: time)
    guard isRunning, let scale, time > run.anchor.time else {
      return position(mapInForce.firstTick(atOrAfter: now.place), now, time)
    }
    return position(firstTick(timeline(now, time, scale), now, time), now, time)
  }

  /// Returns the next instant at which a tick sounds.
  ///
  /// - Parameters:
  ///   - tick: A position in the song; a tick inside the loop sounds in every pass.
  ///   - time: The earliest result.
  /// - Returns: The instant; nil if the tick does not sound any more.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func time(of tick: Tick, from time: ReferenceTime) -> ReferenceTime? {
    guard isRunning, let scale else { return nil }
    guard let base = base(of: tick, isPast: tick < position(at: time).tick, standing(at: time))
    else { return nil }
    let due = mapInForce.time(of: tick, in: base, scale: scale)
    return due >= time ? due : nil
  }

  /// The anchor of the pass in which a tick sounds next, this one or the next; nil for neither.
  func base(of tick: Tick, isPast: Bool, _ now: Standing) -> TransportAnchor? {
    guard let loop = nextLoop(pass: now.pass) else { return now.base }
    guard tick < loop.end else { return nil }
    guard isPast else { return now.base }
    guard tick >= loop.start else { return nil }
    return mapInForce.anchor(now.base, movedFrom: loop.end, to: loop.start)
  }

  /// Returns true if the clock will jump back to the start of its loop after an instant.
  public func willLoop(after time: ReferenceTime) -> Bool {
    isRunning && nextLoop(pass: standing(at: time).pass) != nil
  }

  /// Calls `body` with each part of a window in which one linear mapping from ticks to time
  /// applies, in order.
  ///
  /// Parts before the start of the clock are left out.
  ///
  /// - Complexity: O(log n) in the number of tempo changes for each part.
  public func forEachPiece(of window: ReferenceWindow, _ body: (ClockPiece) throws -> Void) rethrows
  {
    guard isRunning, let scale else { return }
    var start = max(window.lowerBound, run.anchor.time)
    while start < window.upperBound {
      let now = standing(at: start)
      let timeline = timeline(now, start, scale)
      var end = min(window.upperBound, timeline.validUntil)
      if let loop = nextLoop(pass: now.pass) {
        end = min(end, timeline.timeRoundedUp(atCount: loop.end.value))
      }
      try body(
        ClockPiece(
          window: start..<end, timeline: timeline,
          position: position(firstTick(timeline, now, start), now, start),
          loopedFrom: loopEnd(at: start, pass: now.pass)))
      start = end
    }
  }

  /// The position of the clock, with the anchor of its lines.
  struct Standing {
    /// The anchor of the run, moved back by the passes since.
    var base: TransportAnchor
    /// The position at the instant.
    var place: TransportAnchor
    var offset: Int64
    var pass: Int
  }

  func standing(at time: ReferenceTime) -> Standing {
    var now = Standing(base: run.anchor, place: run.anchor, offset: run.offset, pass: run.pass)
    guard isRunning, let scale, time > run.anchor.time else { return now }
    now.place = mapInForce.anchor(run.anchor, at: time, scale: scale)
    guard let loop = nextLoop(pass: run.pass) else { return now }
    let left = loop.count == 0 ? Int.max : loop.count - 1 - run.pass
    let passes = min(mapInForce.passes(of: now.place, through: loop), left)
    guard passes > 0 else { return now }
    now.base = mapInForce.anchor(now.base, movedFrom: loop.end, to: loop.start, times: passes)
    now.place = mapInForce.anchor(now.place, movedFrom: loop.end, to: loop.start, times: passes)
    now.offset += Int64(passes) * loop.length
    now.pass += passes
    return now
  }

  /// The loop at whose end the clock jumps back once more after a number of passes.
  func nextLoop(pass: Int) -> LoopRange? {
    guard let loop = run.loop, loop.count == 0 || pass < loop.count - 1,
      mapInForce.precedes(run.anchor, loop.end)
    else { return nil }
    return loop
  }

  /// The end of the loop if the clock jumped back at this instant.
  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick? {
    guard time > run.anchor.time, pass > run.pass else { return nil }
    return standing(at: time.advanced(byNanoseconds: -1)).pass < pass ? run.loop?.end : nil
  }

  /// The line at an instant, or with which the clock will start; nil if it is stopped.
  func line(at time: ReferenceTime) -> Timeline<Tick, ReferenceTime>? {
    guard isRunning, let scale else { return nil }
    let time = max(time, run.anchor.time)
    return timeline(standing(at: time), time, scale)
  }

  func timeline(
    _ now: Standing, _ time: ReferenceTime, _ scale: TransportScale
  ) -> Timeline<Tick, ReferenceTime> {
    mapInForce.timeline(of: now.base, at: time, scale: scale)
  }

  private func firstTick(
    _ timeline: Timeline<Tick, ReferenceTime>, _ now: Standing, _ time: ReferenceTime
  ) -> Tick {
    let tick = Tick(timeline.firstCount(atOrAfter: time))
    guard now.pass > run.pass, let loop = run.loop else { return tick }
    return max(tick, loop.start)
  }

  private func position(_ tick: Tick, _ now: Standing, _ time: ReferenceTime) -> TransportPosition {
    TransportPosition(
      time: time, tick: tick, unwrapped: tick.advanced(by: now.offset), pass: now.pass)
  }
}

/// A part of a window in which one linear mapping from ticks to time applies.
public struct ClockPiece: Sendable {
  /// The part of the window, in reference time.
  public let window: ReferenceWindow
  /// The mapping from ticks to reference time.
  public let timeline: Timeline<Tick, ReferenceTime>
  /// The position at the start of the part.
  public let position: TransportPosition
  /// The tick at the end of the loop, if the clock jumped back at the start of this part; otherwise
  /// nil.
  public let loopedFrom: Tick?
}
