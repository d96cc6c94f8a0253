// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A setting of a zone.
  ///
  /// Source: SoundFont 2.04, section 8.1.
  public struct Generator: Hashable, Sendable {
    /// Its number, such as 43 for the key range; numbers that the standard does not have are kept.
    public var kind: UInt16
    /// Its amount as in the file: a number with or without a sign, two bytes, or an index.
    public var amount: UInt16

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - kind: its number.
    ///   - amount: its amount as in the file.
    public init(kind: UInt16, amount: UInt16) { (self.kind, self.amount) = (kind, amount) }

    /// Creates a generator of an amount with a sign.
    ///
    /// - Parameters:
    ///   - kind: its number.
    ///   - value: its amount.
    public init(kind: UInt16, value: Int16) {
      self.init(kind: kind, amount: UInt16(bitPattern: value))
    }

    init(_ table: FontTable, _ record: Int) {
      self.init(
        kind: UInt16(table.word(record, at: 0)), amount: UInt16(table.word(record, at: 2)))
    }

    /// The amount as a number with a sign.
    public var value: Int16 { Int16(bitPattern: amount) }

    /// The number of the link to an instrument.
    static let instrumentKind: UInt16 = 41
    /// The number of the link to a sample.
    static let sampleKind: UInt16 = 53

    /// The link to an instrument, the last generator of a preset's zone.
    public static func instrument(_ index: UInt16) -> Self {
      Self(kind: instrumentKind, amount: index)
    }

    /// The link to a sample, the last generator of an instrument's zone.
    public static func sample(_ index: UInt16) -> Self { Self(kind: sampleKind, amount: index) }

    /// The keys that a zone is for, the first generator of a zone.
    public static func keys(_ keys: ClosedRange<UInt8>) -> Self { range(43, keys) }

    /// The velocities that a zone is for: first, or after the keys.
    public static func velocities(_ velocities: ClosedRange<UInt8>) -> Self {
      range(44, velocities)
    }

    private static func range(_ kind: UInt16, _ range: ClosedRange<UInt8>) -> Self {
      Self(kind: kind, amount: UInt16(range.lowerBound) | UInt16(range.upperBound) << 8)
    }
  }

  /// A controller, or a note's key or velocity, that moves a generator: five numbers as in the file.
  ///
  /// Source: SoundFont 2.04, sections 7.4 and 8.2.
  public struct Modulator: Hashable, Sendable {
    /// The source: bits 0…6 its index, bit 7 a MIDI controller, bit 8 falling, bit 9 bipolar, bits
    /// 10…15 the curve.
    public var source: UInt16
    /// The generator it moves; with bit 15 set the index of another modulator in its zone.
    public var destination: UInt16
    /// The greatest change, in the generator's unit.
    public var amount: Int16
    /// The source that scales the amount, 0 for none.
    public var amountSource: UInt16
    /// 0 linear, 2 absolute value.
    public var transform: UInt16

    /// Creates a modulator.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - destination: the generator it moves.
    ///   - amount: the greatest change.
    ///   - amountSource: what scales the amount.
    ///   - transform: 0 linear, 2 absolute value.
    public init(
      source: UInt16, destination: UInt16, amount: Int16, amountSource: UInt16 = 0,
      transform: UInt16 = 0
    ) {
      (self.source, self.destination, self.amount) = (source, destination, amount)
      (self.amountSource, self.transform) = (amountSource, transform)
    }

    init(_ table: FontTable, _ record: Int) {
      self.init(
        source: UInt16(table.word(record, at: 0)), destination: UInt16(table.word(record, at: 2)),
        amount: Int16(truncatingIfNeeded: table.word(record, at: 4)),
        amountSource: UInt16(table.word(record, at: 6)),
        transform: UInt16(table.word(record, at: 8)))
    }

    /// The record as in the file.
    var bytes: [UInt8] {
      [source, destination, UInt16(bitPattern: amount), amountSource, transform].flatMap {
        [UInt8($0 & 0xFF), UInt8($0 >> 8)]
      }
    }
  }
}
