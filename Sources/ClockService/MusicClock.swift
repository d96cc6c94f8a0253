// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A musical clock on its own timebase: a tempo map, set going at an instant.
///
/// It turns a window of host time into pieces with one affine timeline each, so that a source
/// never meets a tempo change or the end of a loop. Where it stands is a function of its anchor
/// and the instant: it can be asked about any instant since it was last changed, in any order,
/// and however long it runs or loops it does not drift.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public struct MusicClock: Sendable {
  /// The tempo map; a tempo set by hand goes before it.
  public private(set) var tempoMap: TempoMap
  /// The tempo set by hand, which holds throughout in the place of the map's; nil for none.
  public private(set) var tempoOverride: Tempo?
  /// How much faster than written the music runs, exactly; 1 plays as written.
  public private(set) var playRate: Ratio
  /// The part that is played over and over.
  public var loop: LoopRange? { run.loop }
  /// Whether the clock runs, or will once its start has come.
  public private(set) var isRunning = false
  /// The meters, by which bars are counted; 4/4 by default.
  public var meterMap = MeterMap.common
  /// The rate of labels and of time code; nil where none is declared.
  public var frameRate: FrameRate?
  /// The label of tick 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode?
  /// The rate at which positions are counted in samples; nil where none is declared.
  public var sampleRate: SampleRate?
  /// How long motion goes on without its master; 1 s by default.
  public var freewheel: Duration = .seconds(1)

  /// The map that holds: the tempo map, or one of the tempo set by hand.
  private(set) var mapInForce: TempoMap
  /// How often another tempo map was put in place.
  private(set) var edition: UInt32 = 0
  private(set) var scale: TransportScale?
  private(set) var run: Run

  /// What a change of the transport leaves behind: everything since follows from it.
  struct Run: BitwiseCopyable, Sendable {
    var anchor: TransportAnchor
    /// What the unwrapped tick is ahead of the tick.
    var offset: Int64 = 0
    var loop: LoopRange?
    /// How often the loop had gone back before the anchor.
    var pass = 0
  }

  /// All of a clock but its map: what another thread needs to ask the same questions.
  public struct State: BitwiseCopyable, Sendable {
    /// Whether the clock runs.
    public let isRunning: Bool
    /// The play rate.
    public let playRate: Ratio
    /// The tempo set by hand.
    public let tempoOverride: Tempo?
    let edition: UInt32
    fileprivate let scale: TransportScale?
    fileprivate let run: Run
  }

  /// The clock without its map.
  public var state: State {
    State(
      isRunning: isRunning, playRate: playRate, tempoOverride: tempoOverride, edition: edition,
      scale: scale, run: run)
  }

  /// Stands and runs as another clock published.
  ///
  /// - Precondition: the tempo map is the one that clock had.
  public mutating func adopt(_ state: State) {
    (isRunning, playRate, edition) = (state.isRunning, state.playRate, state.edition)
    (scale, run) = (state.scale, state.run)
    tempoOverride = state.tempoOverride
    mapInForce = Self.map(tempoMap, overriddenBy: tempoOverride)
  }

  /// The fastest play rate.
  public static let maximumPlayRate: Ratio = 32

  /// Creates a clock that stands at tick 0, to run as written.
  public init(tempoMap: TempoMap) {
    self.tempoMap = tempoMap
    mapInForce = tempoMap
    playRate = 1
    run = Run(anchor: tempoMap.anchor(at: .zero, time: .zero))
  }

  /// Creates a clock that stands at tick 0.
  ///
  /// - Throws: what `setPlayRate` throws.
  public init(tempoMap: TempoMap, playRate: Ratio) throws(TimeError) {
    self.init(tempoMap: tempoMap)
    try setPlayRate(playRate, at: .zero)
  }

  /// The instant from which the clock runs, or was last changed.
  var startTime: ReferenceTime { run.anchor.time }

  /// Starts the clock: `tick` sounds at `time`.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit the map.
  public mutating func start(from tick: Tick, at time: ReferenceTime) throws(TimeError) {
    locate(to: tick, at: time)
    try start(at: time)
  }

  /// Goes on from where the clock stands, fractions of a tick included.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit the map.
  public mutating func start(at time: ReferenceTime) throws(TimeError) {
    scale = try TransportScale(mapInForce, playRate: playRate)
    run.anchor = run.anchor.moved(to: time)
    isRunning = true
  }

  /// Stops the clock where it stands at an instant; it yields no pieces until it is started again.
  ///
  /// A tempo set by hand is forgotten.
  public mutating func stop(at time: ReferenceTime) {
    hold(at: time)
    isRunning = false
    guard tempoOverride != nil else { return }
    tempoOverride = nil
    run.anchor = mapInForce.anchor(run.anchor, in: tempoMap)
    mapInForce = tempoMap
  }

  /// Moves to a tick, which sounds at `time` where the clock runs; the loop begins to count anew.
  public mutating func locate(to tick: Tick, at time: ReferenceTime) {
    run = Run(anchor: mapInForce.anchor(at: tick, time: time), loop: run.loop)
  }

  /// Moves to a place between ticks, which sounds at `time` where the clock runs.
  ///
  /// The place is held rounded down to 2⁻¹⁶ of the map's unit, some 3·10⁻¹⁶ s at 480 PPQN.
  ///
  /// - Throws: `TimeError.overflow` past 64 bits of ticks.
  public mutating func locate(toTicks ticks: Ratio, at time: ReferenceTime) throws(TimeError) {
    run = Run(anchor: try mapInForce.anchor(atTicks: ticks, time: time), loop: run.loop)
  }

  /// Changes how fast the music runs from an instant on.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` outside 0…32, zero not included; `TimeError.overflow`
  ///   for a fraction that does not fit beside the tempi in 64 bits.
  public mutating func setPlayRate(_ rate: Ratio, at time: ReferenceTime) throws(TimeError) {
    guard rate > 0, rate <= Self.maximumPlayRate else {
      throw .fieldOutOfRange(field: "play rate", value: "\(rate)", range: "above 0, at most 32")
    }
    let scale = try TransportScale(mapInForce, playRate: rate)
    hold(at: time)
    playRate = rate
    self.scale = scale
  }

  /// Changes the part that is played over and over, from an instant on; nil plays on.
  ///
  /// It takes effect where the clock stands before the part's end.
  public mutating func setLoop(_ loop: LoopRange?, at time: ReferenceTime) {
    hold(at: time)
    run.loop = loop
    run.pass = 0
  }

  /// Puts another tempo map in the place of this one; the tick stays.
  ///
  /// - Throws: `TimeError` for a play rate that does not fit the new map.
  public mutating func setTempoMap(_ map: TempoMap, at time: ReferenceTime) throws(TimeError) {
    try use(Self.map(map, overriddenBy: tempoOverride), at: time)
    tempoMap = map
    edition &+= 1
  }

  /// Sets the tempo by hand from an instant on, until the clock stops; nil gives it to the map.
  ///
  /// The tick stays. A map whose ticks are parts of a frame has no tempo, and runs as before.
  ///
  /// - Throws: `ClockError.stands` where the clock does not run; `ClockError.time` for a play rate
  ///   that does not fit.
  public mutating func setTempo(_ tempo: Tempo?, at time: ReferenceTime) throws(ClockError) {
    guard isRunning else { throw .stands("tempo") }
    do {
      try use(Self.map(tempoMap, overriddenBy: tempo), at: time)
    } catch {
      throw .time(error)
    }
    tempoOverride = tempo
  }

  /// Looks whether a tempo could be set by hand; nil always fits.
  ///
  /// - Throws: `TimeError.overflow` for a play rate that does not fit beside it.
  func check(_ tempo: Tempo?) throws(TimeError) {
    guard let tempo else { return }
    _ = try TransportScale(Self.map(tempoMap, overriddenBy: tempo), playRate: playRate)
  }

  /// Puts a map in force; the tick stays.
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

  /// What tells one set of maps from another.
  struct Maps: Hashable, Sendable {
    fileprivate var edition: UInt32
    fileprivate var tempo: Tempo?
    fileprivate var meterMap: MeterMap
  }

  /// The maps that hold.
  var mapsInForce: Maps { Maps(edition: edition, tempo: tempoOverride, meterMap: meterMap) }

  /// What a position needs to be told in any format.
  public var timeContext: TimeContext {
    var context = TimeContext(tempoMap: tempoMap, meterMap: meterMap)
    context.frameRate = frameRate
    context.smpteOffset = smpteOffset
    context.sampleRate = sampleRate
    return context
  }

  /// Makes an instant the anchor of what follows: nothing before it will be asked about.
  mutating func hold(at time: ReferenceTime) {
    guard isRunning, time > run.anchor.time else { return }
    let now = standing(at: time)
    run.anchor = now.place
    run.offset = now.offset
    run.pass = now.pass
  }

  /// Where the clock stands at an instant.
  ///
  /// Before its start it stands where it will start.
  ///
  /// - Complexity: O(log n) in the number of tempo changes.
  public func position(at time: ReferenceTime) -> TransportPosition {
    let now = standing(at: time)
    guard isRunning, let scale, time > run.anchor.time else {
      return position(mapInForce.firstTick(atOrAfter: now.place), now, time)
    }
    return position(firstTick(timeline(now, time, scale), now, time), now, time)
  }

  /// The next instant, from an instant on, at which a tick sounds; nil where it never does.
  ///
  /// - Parameters:
  ///   - tick: a place in the piece; one inside the loop sounds in every pass.
  ///   - time: the earliest answer.
  /// - Returns: the instant.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func time(of tick: Tick, from time: ReferenceTime) -> ReferenceTime? {
    guard isRunning, let scale else { return nil }
    guard let base = base(of: tick, isPast: tick < position(at: time).tick, standing(at: time))
    else { return nil }
    let due = mapInForce.time(of: tick, in: base, scale: scale)
    return due >= time ? due : nil
  }

  /// What the lines hang on where a tick sounds next, in this pass or the next; nil for nowhere.
  func base(of tick: Tick, isPast: Bool, _ now: Standing) -> TransportAnchor? {
    guard let loop = nextLoop(pass: now.pass) else { return now.base }
    guard tick < loop.end else { return nil }
    guard isPast else { return now.base }
    guard tick >= loop.start else { return nil }
    return mapInForce.anchor(now.base, movedFrom: loop.end, to: loop.start)
  }

  /// Whether the clock goes back at the end of its loop once more after an instant.
  public func willLoop(after time: ReferenceTime) -> Bool {
    isRunning && nextLoop(pass: standing(at: time).pass) != nil
  }

  /// Calls `body` with each part of a window in which one timeline holds, in order.
  ///
  /// What lies before the clock's start belongs to no piece.
  ///
  /// - Complexity: O(log n) in the size of the map for each piece.
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

  /// Where the clock stands, and what its lines hang on there.
  struct Standing {
    /// The run's anchor, moved back by the passes since.
    var base: TransportAnchor
    /// The place at the instant.
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

  /// The loop at whose end the clock goes back once more after a number of passes.
  func nextLoop(pass: Int) -> LoopRange? {
    guard let loop = run.loop, loop.count == 0 || pass < loop.count - 1,
      mapInForce.precedes(run.anchor, loop.end)
    else { return nil }
    return loop
  }

  /// The end of the loop, where the clock went back at just this instant.
  func loopEnd(at time: ReferenceTime, pass: Int) -> Tick? {
    guard time > run.anchor.time, pass > run.pass else { return nil }
    return standing(at: time.advanced(byNanoseconds: -1)).pass < pass ? run.loop?.end : nil
  }

  /// The line that holds at an instant, or with which the clock will start; nil where it stands.
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

/// A part of a window in which one straight line joins ticks and time.
public struct ClockPiece: Sendable {
  /// The part.
  public let window: ReferenceWindow
  /// The line.
  public let timeline: Timeline<Tick, ReferenceTime>
  /// Where the clock stands at the beginning.
  public let position: TransportPosition
  /// The end of the loop, where the clock went back at just this instant.
  public let loopedFrom: Tick?
}
