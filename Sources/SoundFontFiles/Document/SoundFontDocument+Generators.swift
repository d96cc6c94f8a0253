// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A setting of a zone, such as its key range, tuning or attenuation.
  ///
  /// Source: SoundFont 2.04, section 8.1.
  public struct Generator: Hashable, Sendable {
    /// The number of the generator, such as 43 for the key range.
    ///
    /// Numbers that the standard does not define are kept.
    public var kind: UInt16
    /// The value of the setting as in the file: depending on the kind, a signed or unsigned number,
    /// two bytes, or an index.
    public var amount: UInt16

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - kind: The number of the generator.
    ///   - amount: The value as in the file.
    public init(kind: UInt16, amount: UInt16) { (self.kind, self.amount) = (kind, amount) }

    /// Creates a generator with a signed value.
    ///
    /// - Parameters:
    ///   - kind: The number of the generator.
    ///   - value: The value of the setting.
    public init(kind: UInt16, value: Int16) {
      self.init(kind: kind, amount: UInt16(bitPattern: value))
    }

    init(_ table: FontTable, _ record: Int) {
      self.init(
        kind: UInt16(table.word(record, at: 0)), amount: UInt16(table.word(record, at: 2)))
    }

    /// The amount, interpreted as a signed number.
    public var value: Int16 { Int16(bitPattern: amount) }

    /// The number of the link to an instrument.
    static let instrumentKind: UInt16 = 41
    /// The number of the link to a sample.
    static let sampleKind: UInt16 = 53

    /// Creates a generator that refers to an instrument by its index.
    ///
    /// The generator must be the last one of a zone in a preset.
    public static func instrument(_ index: UInt16) -> Self {
      Self(kind: instrumentKind, amount: index)
    }

    /// Creates a generator that refers to a sample by its index.
    ///
    /// The generator must be the last one of a zone in an instrument.
    public static func sample(_ index: UInt16) -> Self { Self(kind: sampleKind, amount: index) }

    /// Creates a key-range generator.
    ///
    /// The generator must be the first one of its zone.
    public static func keys(_ keys: ClosedRange<UInt8>) -> Self { range(43, keys) }

    /// Creates a velocity-range generator.
    ///
    /// In its zone it must be the first generator, or directly follow the key range.
    public static func velocities(_ velocities: ClosedRange<UInt8>) -> Self {
      range(44, velocities)
    }

    private static func range(_ kind: UInt16, _ range: ClosedRange<UInt8>) -> Self {
      Self(kind: kind, amount: UInt16(range.lowerBound) | UInt16(range.upperBound) << 8)
    }
  }

  /// A modulator, with which a controller, or the key or velocity of a note, changes the value of a
  /// generator.
  ///
  /// The five numbers are stored as in the file.
  ///
  /// Source: SoundFont 2.04, sections 7.4 and 8.2.
  public struct Modulator: Hashable, Sendable {
    /// The source as bits: bits 0…6 are the index of the source; bit 7 is set for a MIDI
    /// controller, bit 8 for a decreasing and bit 9 for a bipolar source; bits 10…15 are the curve.
    public var source: UInt16
    /// The number of the generator to change; if bit 15 is set, the index of another modulator in
    /// the zone.
    public var destination: UInt16
    /// The change at the maximum of the source, in the generator's unit.
    public var amount: Int16
    /// A second source that scales the amount, as bits like `source`; 0 for none.
    public var amountSource: UInt16
    /// The transform of the result: 0 for none (linear), 2 for the absolute value.
    public var transform: UInt16

    /// Creates a modulator.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - destination: The number of the generator to change.
    ///   - amount: The change at the maximum of the source, in the generator's unit.
    ///   - amountSource: A second source that scales the amount; 0 for none.
    ///   - transform: The transform of the result: 0 for none (linear), 2 for the absolute value.
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
