// SPDX-License-Identifier: Apache-2.0
internal import SoundFontFiles

extension Modulator {
  /// The maximum number of modulators of a zone, and of a note.
  static let limit = 64

  /// True if both are identical except for their amounts.
  ///
  /// Source: SoundFont 2.04, section 9.5.1.
  func isLike(_ other: Self) -> Bool {
    source == other.source && amountSource == other.amountSource && generator == other.generator
  }

  /// True if the modulator does not have an effect: its amount is 0, or it is the standard's from
  /// velocity to filter (8.4.2), which FluidSynth ignores.
  var isIdle: Bool { amount == 0 || isLike(Self.velocityToFilter) }

  private init(
    _ source: UInt16, by amountSource: UInt16 = 0, to generator: UInt16, _ amount: Float
  ) {
    self.init(
      source: source, amountSource: amountSource, generator: generator, transform: 0,
      amount: amount)
  }

  /// In FluidSynth the second source rises with the velocity, although it falls in the standard,
  /// because fonts that replace this modulator do so.
  private static let velocityToFilter = Modulator(0x102, by: 0xC02, to: 8, -2400)

  /// The standard's ten modulators, that of balance, and one that gives key pressure the effect of
  /// channel pressure.
  ///
  /// Source: SoundFont 2.04, section 8.4.
  static let standard: [Modulator] = [
    Modulator(0x502, to: 48, 960), velocityToFilter, Modulator(0x00D, to: 6, 50),
    Modulator(0x081, to: 6, 50), Modulator(0x587, to: 48, 960), Modulator(0x28A, to: 17, 500),
    Modulator(0x58B, to: 48, 960), Modulator(0x0DB, to: 16, 200), Modulator(0x0DD, to: 15, 200),
    Modulator(0x20E, by: 0x010, to: 52, 12_700), Modulator(0x688, to: 60, 960),
    Modulator(0x00A, to: 6, 50),
  ]
}

extension Modulator {
  /// The modulators of a bag's zone.
  ///
  /// If several are identical, the last is used.
  static func list(_ level: FontHydra.Level, bag: Int) -> [Modulator] {
    list(level.modulators, level.bags.word(bag, at: 2)..<level.bags.word(bag + 1, at: 2))
  }

  /// The modulators of a table, without its terminal record.
  static func list(_ table: FontTable) -> [Modulator] { list(table, 0..<max(0, table.count - 1)) }

  private static func list(_ table: FontTable, _ records: Range<Int>) -> [Modulator] {
    guard !records.isEmpty else { return [] }
    let all = records.compactMap { Modulator(table, $0) }
    var seen: Set<UInt64> = []
    let last = all.reversed().filter { modulator in
      seen.insert(
        UInt64(modulator.source) << 32 | UInt64(modulator.amountSource) << 16
          | UInt64(modulator.generator)
      ).inserted
    }
    return last.reversed().prefix(limit).map { $0 }
  }

  /// Reads a modulator; nil if its source is missing or not valid, or if its destination is another
  /// modulator or not valid.
  private init?(_ table: FontTable, _ record: Int) {
    let (first, second) = (table.word(record, at: 0), table.word(record, at: 6))
    let target = table.word(record, at: 2)
    guard Self.isSource(first), first & 0xFF != 0, Self.isSource(second),
      target < Generator.count
    else { return nil }
    self.init(
      Self.shaped(first), by: Self.shaped(second), to: UInt16(target),
      Float(Int16(truncatingIfNeeded: table.word(record, at: 4))))
    // An unknown curve or transform makes the modulator ineffective; it still replaces identical
    // ones.
    if first >> 10 > 3 || second >> 10 > 3 || table.word(record, at: 8) != 0 { amount = 0 }
  }

  /// True if a source is valid: a source of the standard, or a controller that is not a message of
  /// another kind.
  ///
  /// Source: SoundFont 2.04, section 8.2.1.
  private static func isSource(_ source: Int) -> Bool {
    let index = source & 0x7F
    guard source & 0x80 != 0 else { return [0, 2, 3, 10, 13, 14, 16].contains(index) }
    return ![0, 6, 32, 38, 98, 99, 100, 101].contains(index) && index < 120
  }

  /// A source without unknown curves; a constant source does not have a polarity.
  private static func shaped(_ source: Int) -> UInt16 {
    let known = source >> 10 > 3 ? source & 0x3FF : source
    return UInt16(known & 0xFF == 0 ? known & ~0x200 : known)
  }
}

extension [Modulator] {
  /// Replaces identical modulators, or appends: the rule for instruments.
  mutating func replace(with modulators: [Modulator]) {
    merge(modulators) { $0 = $1 }
  }

  /// Adds to identical modulators, or appends: the rule for presets.
  mutating func add(_ modulators: [Modulator]) {
    merge(modulators.filter { $0.amount != 0 }) { $0 += $1 }
  }

  private mutating func merge(
    _ modulators: [Modulator], _ change: (inout Float, Float) -> Void
  ) {
    let known = indices
    for modulator in modulators {
      if let index = known.first(where: { self[$0].isLike(modulator) }) {
        change(&self[index].amount, modulator.amount)
      } else if count < Modulator.limit {
        append(modulator)
      }
    }
  }
}
