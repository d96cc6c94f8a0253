// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// The state of a served clock: its position, motion and maps.
///
/// Other processes read the whole value at once without waiting, and calculate positions from it.
public struct SharedClockState: SharedValue {
  /// The maximum number of tempo changes; a longer map is cut off, and `isWhole` is then false.
  public static let tempoCapacity = 256
  /// The maximum number of meter changes; a longer map is cut off, and `isWhole` is then false.
  public static let meterCapacity = 64

  /// True while the clock runs.
  public var isRunning: Bool { flags & Flag.running != 0 }
  /// True if the served clock follows a master, so that the tempo map does not determine its speed.
  public var isExternal: Bool { flags & Flag.external != 0 }
  /// True if the tempo map and the meter map are complete.
  public var isWhole: Bool { flags & Flag.cut == 0 }
  /// True if the served clock follows MIDI clock and its position may be off by whole MIDI clocks.
  public var isUncertain: Bool {
    get { flags & Flag.uncertain != 0 }
    set { set(Flag.uncertain, newValue) }
  }
  /// The number of moves, starts and stops of the served clock.
  public private(set) var moves: UInt32 = 0
  /// The number of changes of the tempo map and meter map.
  public private(set) var mapEdition: UInt32 = 0
  /// The host time at which the state was published.
  ///
  /// Host time is the same in all processes.
  public private(set) var published = HostTime.zero
  /// The position at which the clock is stopped, in ticks.
  public private(set) var standing: Tick = .zero
  /// The host time at which the clock started or will start to run.
  public private(set) var start = HostTime.zero
  /// The mapping from ticks to host time; valid while the clock runs.
  public private(set) var line: Timeline<Tick, HostTime>

  // Not Booleans, because any pattern of bits must be a valid value.
  private var flags: UInt32 = 0
  private var resolution: UInt16
  private var tempoCount: UInt16 = 0
  private var meterCount: UInt16 = 0
  private var tempi: InlineArray<256, TempoChange>
  private var meters: InlineArray<64, MeterChange>

  /// Creates the state of a clock that is stopped at tick 0.
  ///
  /// - Parameters:
  ///   - tempoMap: The tempo map. A map whose ticks are parts of SMPTE frames is converted to
  ///     quarter notes at 480 PPQN.
  ///   - meterMap: The meter map.
  public init(tempoMap: TempoMap, meterMap: MeterMap) {
    line = Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1)
    resolution = 480
    tempi = InlineArray(repeating: TempoChange(tick: 0, tempo: .standard))
    meters = InlineArray(
      repeating: MeterChange(position: .zero, signature: .common))
    set(tempoMap, meterMap)
    mapEdition = 0
  }

  /// Replaces the tempo map and the meter map.
  ///
  /// - Complexity: O(n) in the number of changes; allocates.
  public mutating func set(_ tempoMap: TempoMap, _ meterMap: MeterMap) {
    mapEdition &+= 1
    if case .ppqn(let ppqn) = tempoMap.division { resolution = ppqn.ticks }
    let changes = tempoMap.changes
    let meterChanges = meterMap.changes
    set(
      Flag.cut,
      changes.count > Self.tempoCapacity || meterChanges.count > Self.meterCapacity)
    tempoCount = UInt16(min(changes.count, Self.tempoCapacity))
    meterCount = UInt16(min(meterChanges.count, Self.meterCapacity))
    for index in 0..<Int(tempoCount) { tempi[index] = changes[index] }
    for index in 0..<Int(meterCount) { meters[index] = meterChanges[index] }
  }

  /// Sets the state of a running clock: its mapping from ticks to host time, and the host time at
  /// which it starts.
  public mutating func run(
    along line: Timeline<Tick, HostTime>, from start: HostTime, isExternal: Bool, moves: UInt32,
    at now: HostTime
  ) {
    set(Flag.running, true)
    set(Flag.external, isExternal)
    self.start = start
    self.line = line
    self.moves = moves
    published = now
  }

  /// Sets the state of a clock that is stopped at a tick.
  public mutating func stand(at tick: Tick, moves: UInt32, at now: HostTime) {
    set(Flag.running, false)
    standing = tick
    self.moves = moves
    published = now
  }

  /// The ticks per quarter note; nil if the value was not written by a `SharedClockPublisher` and
  /// is invalid.
  public var ppqn: PPQN? { PPQN(Int(resolution)) }

  /// Returns the tempo map of the clock.
  ///
  /// - Throws: `TimeError` if the value is invalid, because a program other than a
  ///   `SharedClockPublisher` wrote it.
  /// - Complexity: O(n) in the number of changes; allocates.
  public func tempoMap() throws(TimeError) -> TempoMap {
    guard let ppqn = PPQN(Int(resolution)) else { throw .badDivision(resolution) }
    return try TempoMap(
      division: .ppqn(ppqn), changes: tempoRange.map { tempi[$0] })
  }

  /// Returns the meter map of the clock.
  ///
  /// - Throws: `TimeError` if the value is invalid, because a program other than a
  ///   `SharedClockPublisher` wrote it.
  /// - Complexity: O(n) in the number of changes; allocates.
  public func meterMap() throws(TimeError) -> MeterMap {
    try MeterMap(changes: meterRange.map { meters[$0] })
  }

  /// Calls `body` for each part of a window in which one linear mapping from ticks to host time
  /// applies.
  ///
  /// After the end of the published mapping, further ones are calculated from the tempo map at the
  /// same play rate, so that a reader can look further ahead than the publisher.
  public func forEachPiece(
    of window: HostWindow, in map: TempoMap, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void
  ) {
    guard isRunning else { return }
    var start = max(window.lowerBound, self.start)
    var piece = line
    // A line ends at a change of the map, so there cannot be more of them.
    var changes = tempoRange.count
    while start < window.upperBound {
      while !isExternal, piece.validUntil <= start, changes > 0 {
        changes -= 1
        guard let next = following(piece, in: map) else { break }
        piece = next
      }
      let end =
        isExternal || piece.validUntil <= start
        ? window.upperBound : min(window.upperBound, piece.validUntil)
      body(start..<end, piece)
      start = end
    }
  }

  /// The line that begins at the end of another.
  private func following(_ piece: Timeline<Tick, HostTime>, in map: TempoMap) -> Timeline<
    Tick, HostTime
  >? {
    do {
      let here = try map.mediaLine(at: Tick(piece.countOrigin))
      let rate =
        try Ratio(here.numerator, over: here.denominator)
        / Ratio(piece.numerator, over: piece.denominator)
      return try map.timeline(
        at: Tick(piece.firstCount(atOrAfter: piece.validUntil)),
        originTick: Tick(piece.countOrigin),
        origin: piece.timeRoundedUp(atCount: piece.countOrigin), playRate: rate)
    } catch {
      // The play rate is not a fraction of 64-bit integers: the line continues.
      return nil
    }
  }
}

extension SharedClockState {
  private enum Flag {
    static let running: UInt32 = 1
    static let external: UInt32 = 2
    static let cut: UInt32 = 4
    static let uncertain: UInt32 = 8
  }

  private mutating func set(_ flag: UInt32, _ isSet: Bool) {
    if isSet { flags |= flag } else { flags &= ~flag }
  }

  private var tempoRange: Range<Int> { 0..<min(Int(tempoCount), Self.tempoCapacity) }
  private var meterRange: Range<Int> { 0..<min(Int(meterCount), Self.meterCapacity) }

  /// True if all values are valid: the mapping ascends and begins in the range of host time,
  /// changes are in order, and tempi and meters are permitted.
  ///
  /// - Complexity: O(n) in the number of changes; does not allocate.
  public var isSound: Bool {
    ppqn != nil && line.isSound && areTempiSound && areMetersSound
  }

  private var areTempiSound: Bool {
    var last: Int64 = -1
    for index in tempoRange {
      guard tempi[index].tick.value > last, tempi[index].tempo.tenNanosecondsPerQuarter > 0 else {
        return false
      }
      last = tempi[index].tick.value
    }
    return Int(tempoCount) <= Self.tempoCapacity
  }

  private var areMetersSound: Bool {
    meterRange.allSatisfy { meters[$0].isSound } && Int(meterCount) <= Self.meterCapacity
  }
}

extension MeterChange {
  /// True if the values are a meter at a position that a meter map can contain.
  fileprivate var isSound: Bool {
    guard (0...Int128(Int64.max)).contains(position.numerator),
      (1...Int128(Int32.max)).contains(position.denominator)
    else { return false }
    let lowest = Ratio(Int64(position.numerator), over: Int64(position.denominator))
    return lowest == position && signature.numerator > 0
      && signature.denominator.nonzeroBitCount == 1 && signature.thirtySecondsPerQuarter > 0
  }
}

extension Timeline {
  /// True if the values are a line whose origin is an instant.
  fileprivate var isSound: Bool {
    guard numerator > 0, denominator > 0 else { return false }
    return Int64(exactly: scaledOrigin / Int128(denominator)) != nil
  }
}

/// Writes the state of a clock that other processes can follow.
public typealias SharedClockPublisher = SharedSnapshotPublisher<SharedClockState>

/// Reads the state of a clock that another process serves.
public typealias SharedClockReader = SharedSnapshotReader<SharedClockState>
