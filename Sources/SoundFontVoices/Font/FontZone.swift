// SPDX-License-Identifier: Apache-2.0
internal import SoundFontFiles

/// The settings of a zone of a preset or instrument, read by FluidSynth's rules.
///
/// The key range must be first, and the velocity range first or after it. The link to an instrument
/// or sample must be last. Generators at other positions, or that the level must not set, are
/// ignored.
///
/// Source: SoundFont 2.04, sections 7.3 to 7.9 and 8.1.
struct FontZone {
  /// The ranges of keys and velocities.
  ///
  /// Those of a global zone are ignored.
  var keys = Range()
  var velocities = Range()
  /// The index of the instrument or sample to which the zone refers.
  var link: Int?
  /// A bit for each generator that is set, and the amounts as in the font.
  var isSet: UInt64 = 0
  var amounts = InlineArray<61, Int16>(repeating: 0)
  /// Its modulators, in the font's order.
  var modulators: [Modulator] = []

  /// A range from low to high; empty if low is above high.
  struct Range {
    var low: UInt8 = 0
    var high: UInt8 = 127

    var isEmpty: Bool { low > high }

    /// The intersection of both ranges.
    func and(_ other: Self) -> Self {
      Self(low: max(low, other.low), high: min(high, other.high))
    }
  }

  /// Reads the zone of a bag.
  init(_ level: FontHydra.Level, bag: Int) {
    var isRangeAllowed = (keys: true, velocities: true)
    for record in level.bags.word(bag, at: 0)..<level.bags.word(bag + 1, at: 0) {
      let kind = level.generators.word(record, at: 0)
      let amount = level.generators.word(record, at: 2)
      switch kind {
      case 43:
        if isRangeAllowed.keys { keys = Range(low: UInt8(amount & 0xFF), high: UInt8(amount >> 8)) }
        isRangeAllowed.keys = false
      case 44:
        if isRangeAllowed.velocities {
          velocities = Range(low: UInt8(amount & 0xFF), high: UInt8(amount >> 8))
        }
        isRangeAllowed = (false, false)
      case level.link:
        link = amount
      default:
        isRangeAllowed = (false, false)
        guard kind < 59, Self.allowed(level) & 1 << kind != 0 else { continue }
        isSet |= 1 << kind
        amounts[kind] = Int16(truncatingIfNeeded: amount)
      }
      if link != nil { break }
    }
    modulators = Modulator.list(level, bag: bag)
  }

  /// The generators that a level may set, one bit for each.
  private static func allowed(_ level: FontHydra.Level) -> UInt64 {
    level.link == 41 ? allowedInPresets : allowedInInstruments
  }

  private static let allowedInInstruments =
    bits(of: Array(0...58)) & ~bits(of: [14, 18, 19, 20, 41, 42, 43, 44, 53, 55])
  /// Sample addresses and generators that replace a note's values are only allowed in instruments.
  private static let allowedInPresets =
    allowedInInstruments & ~bits(of: [0, 1, 2, 3, 4, 12, 45, 46, 47, 49, 50, 54, 57, 58])

  private static func bits(of kinds: [Int]) -> UInt64 { kinds.reduce(0) { $0 | 1 << UInt64($1) } }

  /// The numbers of the generators that are set.
  var setKinds: some Sequence<Int> { Bits(rest: isSet) }

  /// The indices of the bits that are 1, from the lowest.
  private struct Bits: Sequence, IteratorProtocol {
    var rest: UInt64

    mutating func next() -> Int? {
      guard rest != 0 else { return nil }
      defer { rest &= rest - 1 }
      return rest.trailingZeroBitCount
    }
  }

  /// Adds the settings of the global zone that this zone does not have.
  func over(_ global: FontZone?) -> FontZone {
    guard let global else { return self }
    var zone = self
    for kind in Bits(rest: global.isSet & ~isSet) { zone.amounts[kind] = global.amounts[kind] }
    zone.isSet |= global.isSet
    guard !zone.modulators.isEmpty else {
      zone.modulators = global.modulators
      return zone
    }
    zone.modulators += global.modulators.filter { modulator in
      !modulators.contains { $0.isLike(modulator) }
    }
    zone.modulators.removeLast(max(0, zone.modulators.count - Modulator.limit))
    return zone
  }
}

extension FontZone {
  /// The zones of a preset or instrument that have a link, completed by the global zone, in the
  /// order of play: the last first.
  ///
  /// - Parameters:
  ///   - level: the tables.
  ///   - index: the index of the preset or instrument.
  ///   - isUsable: returns true if the target of a link can be played. If that of the first zone
  ///     cannot, the first zone is global.
  /// - Returns: the zones; empty if none can be played.
  static func list(
    _ level: FontHydra.Level, of index: Int, where isUsable: (Int) -> Bool
  ) -> [FontZone] {
    var global: FontZone?
    var zones: [FontZone] = []
    let bags = FontHydra.bags(level, of: index)
    for bag in bags {
      let zone = FontZone(level, bag: bag)
      if let link = zone.link, isUsable(link) {
        zones.append(zone)
      } else if bag == bags.lowerBound {
        global = zone
      }
    }
    return zones.reversed().map { $0.over(global) }
  }
}
