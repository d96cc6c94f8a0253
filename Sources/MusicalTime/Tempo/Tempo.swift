// SPDX-License-Identifier: Apache-2.0

/// A tempo, stored as the length of a quarter note in units of 10 ns.
///
/// This is the unit of the MIDI 2.0 Set Tempo message. Tempi of Standard MIDI Files, in whole
/// microseconds, are represented exactly. 120 beats per minute is 50 000 000. The range is 1…2³² −
/// 1, up to 42.9 s per quarter note (1.397 beats per minute).
public struct Tempo: Hashable, BitwiseCopyable, Sendable {
  /// The length of a quarter note in units of 10 ns; above zero.
  public let tenNanosecondsPerQuarter: UInt32

  /// Creates a tempo from the length of a quarter note in units of 10 ns, or returns nil for zero.
  @inlinable
  public init?(tenNanosecondsPerQuarter length: UInt32) {
    guard length > 0 else { return nil }
    self.tenNanosecondsPerQuarter = length
  }

  /// Creates a tempo from the length of a quarter note in microseconds, or returns nil if that is
  /// not 1…42 949 672.
  ///
  /// A tempo of zero in a file is invalid; the file reader removes and reports it.
  @inlinable
  public init?(microsecondsPerQuarter length: Int) {
    guard (1...42_949_672).contains(length) else { return nil }
    self.tenNanosecondsPerQuarter = UInt32(length) * 100
  }

  @usableFromInline
  init(unchecked length: UInt32) {
    self.tenNanosecondsPerQuarter = length
  }

  /// The default tempo: 120 beats per minute.
  ///
  /// Source: Standard MIDI Files 1.0 (RP-001), Set Tempo.
  public static var standard: Tempo { Tempo(unchecked: 50_000_000) }

  /// Creates the tempo nearest to a number of quarter notes per minute, as in
  /// `Tempo(beatsPerMinute: 130)`.
  ///
  /// The rounding error is at most 5 ns per quarter note; `beatsPerMinute(_:rounding:)` returns it.
  ///
  /// - Throws: `TimeError.badTempo` if the value is zero, negative or out of range.
  public init(beatsPerMinute value: Ratio) throws(TimeError) {
    self = try Self.beatsPerMinute(value, rounding: .nearest).value
  }

  /// Returns the tempo nearest to a number of quarter notes per minute, with the rounding error.
  ///
  /// For example, 130 beats per minute is not a whole number of units: the result 46 153 846 is too
  /// short by 2/13 of a unit.
  ///
  /// - Throws: `TimeError.badTempo` if the value is zero, negative or out of range;
  ///   `TimeError.inexact`.
  public static func beatsPerMinute(
    _ value: Ratio, rounding: Rounding
  ) throws(TimeError) -> Converted<Tempo> {
    guard value > 0 else { throw .badTempo("\(value) bpm") }
    let length = try (Ratio(6_000_000_000) / value).rounded(rounding, unit: "tempi")
    guard let narrow = UInt32(exactly: length.value), narrow > 0 else {
      throw .badTempo("\(value) bpm")
    }
    return length.map { _ in Tempo(unchecked: narrow) }
  }

  /// The exact number of quarter notes per minute.
  public var beatsPerMinute: Ratio {
    Ratio(6_000_000_000, over: Int64(tenNanosecondsPerQuarter))
  }

  /// Returns the quarter notes per minute with the fewest decimals for which this is the nearest
  /// tempo.
  ///
  /// For 66 666 667, whose exact value is 89.99999955, the result is 90. If six decimals are not
  /// enough, it is the exact value.
  ///
  /// - Throws: `TimeError.overflow` if the number does not fit in 64 bits.
  package func shortestBeatsPerMinute() throws(TimeError) -> Ratio {
    var scale: Int64 = 1
    while scale <= 1_000_000 {
      let units = try (beatsPerMinute * Ratio(scale)).rounded(.nearest, unit: "decimals").value
      let value = Ratio(units, over: scale)
      if value > 0, try Self.beatsPerMinute(value, rounding: .nearest).value == self {
        return value
      }
      scale *= 10
    }
    return beatsPerMinute
  }

  /// The exact number of microseconds per quarter note.
  public var microsecondsPerQuarter: Ratio {
    Ratio(Int64(tenNanosecondsPerQuarter), over: 100)
  }
}

/// A tempo that takes effect at a tick.
public struct TempoChange: Hashable, BitwiseCopyable, Sendable {
  /// The first tick at the new tempo.
  public var tick: Tick
  /// The tempo that takes effect.
  public var tempo: Tempo

  /// Creates a change to a tempo at a tick.
  @inlinable
  public init(tick: Tick, tempo: Tempo) {
    self.tick = tick
    self.tempo = tempo
  }
}
