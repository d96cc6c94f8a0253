// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// What a clock that is served to other processes says: where it is, how it runs, and its maps.
///
/// It is read as a whole and never waits; `position` questions are answered from the value alone.
public struct SharedClockState: SharedValue {
  /// Tempo changes that fit; a longer map is cut, and `isWhole` says so.
  public static let tempoCapacity = 256
  /// Meter changes that fit.
  public static let meterCapacity = 64

  /// Whether the clock runs.
  public var isRunning: Bool { flags & Flag.running != 0 }
  /// Whether the clock itself follows another: then its tempo map says nothing of its speed.
  public var isExternal: Bool { flags & Flag.external != 0 }
  /// Whether both maps fitted.
  public var isWhole: Bool { flags & Flag.cut == 0 }
  /// Whether the place may be off by whole MIDI clocks: the clock follows some that do not add up.
  public var isUncertain: Bool {
    get { flags & Flag.uncertain != 0 }
    set { set(Flag.uncertain, newValue) }
  }
  /// How often the transport was moved, started or stopped.
  public private(set) var moves: UInt32 = 0
  /// How often the maps were changed.
  public private(set) var mapEdition: UInt32 = 0
  /// When the state was published, on the monotonic clock that all processes share.
  public private(set) var published = HostTime.zero
  /// Where the clock stands while it does not run.
  public private(set) var standing: Tick = .zero
  /// When it began to run; it stands until then.
  public private(set) var start = HostTime.zero
  /// The line that holds while the clock runs.
  public private(set) var line: Timeline<Tick, HostTime>

  // Not Booleans, which not every pattern of bits is.
  private var flags: UInt32 = 0
  private var resolution: UInt16
  private var tempoCount: UInt16 = 0
  private var meterCount: UInt16 = 0
  private var tempi: InlineArray<256, TempoChange>
  private var meters: InlineArray<64, MeterChange>

  /// Creates the state of a clock that stands at tick 0.
  ///
  /// - Parameters:
  ///   - tempoMap: Its tempo map; one counted in frames is served as quarter notes at 480 PPQN.
  ///   - meterMap: Its meter map.
  public init(tempoMap: TempoMap, meterMap: MeterMap) {
    line = Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1)
    resolution = 480
    tempi = InlineArray(repeating: TempoChange(tick: 0, tempo: .standard))
    meters = InlineArray(
      repeating: MeterChange(position: .zero, signature: .common))
    set(tempoMap, meterMap)
    mapEdition = 0
  }

  /// Says that the clock counts in other maps.
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

  /// Says that the clock runs along a line.
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

  /// Says that the clock stands.
  public mutating func stand(at tick: Tick, moves: UInt32, at now: HostTime) {
    set(Flag.running, false)
    standing = tick
    self.moves = moves
    published = now
  }

  /// The resolution of the ticks.
  public var ppqn: PPQN? { PPQN(Int(resolution)) }

  /// The clock's tempo map.
  ///
  /// - Throws: `TimeError` for what no publisher of ours writes.
  /// - Complexity: O(n) in the number of changes; allocates.
  public func tempoMap() throws(TimeError) -> TempoMap {
    guard let ppqn = PPQN(Int(resolution)) else { throw .badDivision(resolution) }
    return try TempoMap(
      division: .ppqn(ppqn), changes: tempoRange.map { tempi[$0] })
  }

  /// The clock's meter map.
  ///
  /// - Throws: `TimeError` for what no publisher of ours writes.
  /// - Complexity: O(n) in the number of changes; allocates.
  public func meterMap() throws(TimeError) -> MeterMap {
    try MeterMap(changes: meterRange.map { meters[$0] })
  }

  /// Calls `body` with each part of a window in which one line holds, in the clock's own ticks.
  ///
  /// The line published, and after it what the tempo map says at the same play rate: a reader
  /// may look ahead of the publisher.
  public func forEachPiece(
    of window: HostWindow, in map: TempoMap, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void
  ) {
    guard isRunning else { return }
    var start = max(window.lowerBound, self.start)
    var piece = line
    // A piece ends at a change of the map: no words lead through more of them.
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

  /// The piece that begins where one ends.
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
      // A play rate that fits no fraction: the line goes on.
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

  /// Whether every word says something that can be counted with: a line that rises and begins in
  /// the range of host time, changes in order, tempi and meters that are some.
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
  /// Whether its words are those of a meter at a place that a meter map can hold.
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
  /// Whether its words are those of a line whose origin is an instant.
  fileprivate var isSound: Bool {
    guard numerator > 0, denominator > 0 else { return false }
    return Int64(exactly: scaledOrigin / Int128(denominator)) != nil
  }
}

/// The writing end of a clock that other processes follow.
public typealias SharedClockPublisher = SharedSnapshotPublisher<SharedClockState>

/// The reading end of a clock that another process serves.
public typealias SharedClockReader = SharedSnapshotReader<SharedClockState>
