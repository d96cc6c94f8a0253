// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A setting of a zone.
  ///
  /// Source: SoundFont 2.04, section 8.1.
  public struct Generator: Hashable, Sendable {
    /// The number of the generator, such as 43 for the key range.
    ///
    /// Numbers that the standard does not define are kept.
    public var kind: UInt16
    /// The amount as in the file: a signed or unsigned number, two bytes, or an index.
    public var amount: UInt16

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - kind: The number of the generator.
    ///   - amount: The amount as in the file.
    public init(kind: UInt16, amount: UInt16) { (self.kind, self.amount) = (kind, amount) }

    /// Creates a generator with a signed amount.
    ///
    /// - Parameters:
    ///   - kind: The number of the generator.
    ///   - value: The amount.
    public init(kind: UInt16, value: Int16) {
      self.init(kind: kind, amount: UInt16(bitPattern: value))
    }

    init(_ table: FontTable, _ record: Int) {
      self.init(
        kind: UInt16(table.word(record, at: 0)), amount: UInt16(table.word(record, at: 2)))
    }

    /// The amount as a signed number.
    public var value: Int16 { Int16(bitPattern: amount) }

    /// The number of the link to an instrument.
    static let instrumentKind: UInt16 = 41
    /// The number of the link to a sample.
    static let sampleKind: UInt16 = 53

    /// Creates the link to an instrument, which must be the last generator of a preset's zone.
    public static func instrument(_ index: UInt16) -> Self {
      Self(kind: instrumentKind, amount: index)
    }

    /// Creates the link to a sample, which must be the last generator of an instrument's zone.
    public static func sample(_ index: UInt16) -> Self { Self(kind: sampleKind, amount: index) }

    /// Creates the key range of a zone, which must be the first generator.
    public static func keys(_ keys: ClosedRange<UInt8>) -> Self { range(43, keys) }

    /// Creates the velocity range of a zone, which must be the first generator, or follow the key
    /// range.
    public static func velocities(_ velocities: ClosedRange<UInt8>) -> Self {
      range(44, velocities)
    }

    private static func range(_ kind: UInt16, _ range: ClosedRange<UInt8>) -> Self {
      Self(kind: kind, amount: UInt16(range.lowerBound) | UInt16(range.upperBound) << 8)
    }
  }

  /// A modulator: a controller, or a note's key or velocity, that changes a generator.
  ///
  /// The five numbers are those of the file.
  ///
  /// Source: SoundFont 2.04, sections 7.4 and 8.2.
  public struct Modulator: Hashable, Sendable {
    /// The source: bits 0…6 its index, bit 7 set for a MIDI controller, bit 8 set for decreasing,
    /// bit 9 set for bipolar, bits 10…15 the curve.
    public var source: UInt16
    /// The number of the generator to change; if bit 15 is set, the index of another modulator in
    /// the zone.
    public var destination: UInt16
    /// The maximum change, in the generator's unit.
    public var amount: Int16
    /// The source that scales the amount, 0 for none.
    public var amountSource: UInt16
    /// The transform: 0 linear, 2 absolute value.
    public var transform: UInt16

    /// Creates a modulator.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - destination: The number of the generator to change.
    ///   - amount: The maximum change.
    ///   - amountSource: The source that scales the amount, 0 for none.
    ///   - transform: The transform: 0 linear, 2 absolute value.
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
