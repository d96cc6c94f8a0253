// SPDX-License-Identifier: Apache-2.0

/// An exact position in a song, in ticks, quarter notes or seconds.
public enum TimePosition: Hashable, BitwiseCopyable, Sendable {
  /// Ticks with fractions.
  case ticks(Ratio)
  /// Quarter notes from the start of the song.
  case quarters(Ratio)
  /// Seconds of media time, from the start of the song.
  case seconds(Ratio)
}

extension TimeContext {
  /// Returns the exact media time of a position, in seconds.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func seconds(of position: TimePosition) throws(TimeError) -> Ratio {
    if case .seconds(let seconds) = position { return seconds }
    if let secondsPerQuarter = try secondsPerQuarter {
      return try quarters(of: position) * secondsPerQuarter
    }
    if let tick = try mapTick(position) { return tempoMap.seconds(at: tick) }
    return try tempoMap.seconds(atTicks: ticks(of: position))
  }

  /// Returns the exact position in ticks.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
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

  /// Returns the first whole tick at or after a position.
  ///
  /// - Throws: `TimeError.overflow` if the tick does not fit in 64 bits.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func firstTick(of position: TimePosition) throws(TimeError) -> Tick {
    Tick(try ticks(of: position).rounded(.ceil, unit: "ticks").value)
  }

  /// Returns the exact position in quarter notes.
  ///
  /// - Throws: `TimeError.overflow` if the fraction does not fit in 128 bits.
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

  /// The tick of a position in ticks or quarter notes; nil for seconds and for fractions of a tick.
  ///
  /// For a whole tick the tempo map converts without ratios, which is faster.
  func mapTick(_ position: TimePosition) throws(TimeError) -> Tick? {
    guard constantTempo == nil else { return nil }
    switch position {
    case .seconds: return nil
    case .ticks(let ticks): return Tick(exactly: ticks)
    case .quarters(let quarters): return Tick(exactly: try tempoMap.ticks(atQuarters: quarters))
    }
  }

  /// The length of a quarter note at the constant tempo, in seconds; nil if the tempo map applies,
  /// as for ticks of a fixed length.
  private var secondsPerQuarter: Ratio? {
    get throws(TimeError) {
      guard let constantTempo, case .ppqn = tempoMap.division else { return nil }
      return try constantTempo * Ratio(1, over: 1_000_000)
    }
  }
}

extension Tick {
  /// Creates a position from a whole number of ticks, or returns nil for a fraction.
  init?(exactly ticks: Ratio) {
    guard ticks.isInteger, let value = Int64(exactly: ticks.numerator) else { return nil }
    self.init(value)
  }
}
