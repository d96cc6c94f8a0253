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
    switch position {
    case .seconds(let seconds): return seconds
    case .quarters(let quarters): return try tempoMap.seconds(atQuarters: quarters)
    case .ticks(let ticks):
      if let tick = Tick(exactly: ticks) { return tempoMap.seconds(at: tick) }
      return try tempoMap.seconds(atTicks: ticks)
    }
  }

  /// A position in ticks, exactly.
  ///
  /// - Throws: `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func ticks(of position: TimePosition) throws(TimeError) -> Ratio {
    switch position {
    case .seconds(let seconds): try tempoMap.ticks(atSeconds: seconds)
    case .quarters(let quarters): try tempoMap.ticks(atQuarters: quarters)
    case .ticks(let ticks): ticks
    }
  }

  /// A position in quarter notes, exactly.
  ///
  /// - Throws: `TimeError.overflow`.
  /// - Complexity: O(log n) in the number of tempo changes.
  public func quarters(of position: TimePosition) throws(TimeError) -> Ratio {
    switch position {
    case .seconds(let seconds): try tempoMap.quarters(atSeconds: seconds)
    case .quarters(let quarters): quarters
    case .ticks(let ticks): try tempoMap.quarters(atTicks: ticks)
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
