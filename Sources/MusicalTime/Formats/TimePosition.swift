// SPDX-License-Identifier: Apache-2.0

/// An exact position in a piece, in the domain in which it was given.
public enum TimePosition: Hashable, BitwiseCopyable, Sendable {
  /// Ticks and their fractions.
  case ticks(Ratio)
  /// Quarter notes from the origin.
  case quarters(Ratio)
  /// Seconds of media time.
  case seconds(Ratio)
}

extension TimeContext {
  /// A position in seconds of media time, exactly.
  ///
  /// - Throws: `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func seconds(of position: TimePosition) throws(TimeError) -> Ratio {
    if case .seconds(let seconds) = position { return seconds }
    if let secondsPerQuarter = try secondsPerQuarter {
      return try quarters(of: position) * secondsPerQuarter
    }
    if let tick = try mapTick(position) { return tempoMap.seconds(at: tick) }
    return try tempoMap.seconds(atTicks: ticks(of: position))
  }

  /// A position in ticks, exactly.
  ///
  /// - Throws: `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(of position: TimePosition) throws(TimeError) -> Ratio {
    switch position {
    case .ticks(let ticks): return ticks
    case .quarters(let quarters): return try tempoMap.ticks(atQuarters: quarters)
    case .seconds(let seconds):
      guard constantTempo != nil, case .ppqn = tempoMap.division else {
        return try tempoMap.ticks(atSeconds: seconds)
      }
      return try tempoMap.ticks(atQuarters: quarters(of: position))
    }
  }

  /// The first tick at or after a position.
  ///
  /// - Throws: `TimeError.overflow` past 64 bits of ticks.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func firstTick(of position: TimePosition) throws(TimeError) -> Tick {
    Tick(try ticks(of: position).rounded(.ceil, unit: "ticks").value)
  }

  /// A position in quarter notes, exactly.
  ///
  /// - Throws: `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func quarters(of position: TimePosition) throws(TimeError) -> Ratio {
    switch position {
    case .quarters(let quarters): return quarters
    case .ticks(let ticks): return try tempoMap.quarters(atTicks: ticks)
    case .seconds(let seconds):
      if let secondsPerQuarter = try secondsPerQuarter { return try seconds / secondsPerQuarter }
      return try tempoMap.quarters(atSeconds: seconds)
    }
  }

  /// The whole tick of a position that counts ticks or beats of the map; nil for any other.
  ///
  /// It takes the map's own road, which needs no ratios.
  func mapTick(_ position: TimePosition) throws(TimeError) -> Tick? {
    guard constantTempo == nil else { return nil }
    switch position {
    case .seconds: return nil
    case .ticks(let ticks): return Tick(exactly: ticks)
    case .quarters(let quarters): return Tick(exactly: try tempoMap.ticks(atQuarters: quarters))
    }
  }

  /// The constant tempo's quarter note in seconds; nil where the map holds, as it does for ticks
  /// of a fixed length.
  private var secondsPerQuarter: Ratio? {
    get throws(TimeError) {
      guard let constantTempo, case .ppqn = tempoMap.division else { return nil }
      return try constantTempo * Ratio(1, over: 1_000_000)
    }
  }
}

extension Tick {
  /// Creates a position from a whole number of ticks; nil for a fraction.
  init?(exactly ticks: Ratio) {
    guard ticks.isInteger, let value = Int64(exactly: ticks.numerator) else { return nil }
    self.init(value)
  }
}
