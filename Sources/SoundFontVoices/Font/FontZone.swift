// SPDX-License-Identifier: Apache-2.0
internal import SoundFontFiles

/// What a zone of a preset or of an instrument sets, read by FluidSynth's rules.
///
/// The range of keys comes first, the range of velocities after it or first; what a zone leads to
/// is last: what stands in another place is left out, as is what the level may not set.
///
/// Source: SoundFont 2.04, sections 7.3 to 7.9 and 8.1.
struct FontZone {
  /// The keys and velocities it is for; what its global zone says of them counts for nothing.
  var keys = Range()
  var velocities = Range()
  /// What it leads to, an instrument or a sample, as an index.
  var link: Int?
  /// A bit for each generator that it sets, by its number, and the amounts as the font has them.
  var isSet: UInt64 = 0
  var amounts = InlineArray<61, Int16>(repeating: 0)
  /// Its modulators, in the font's order.
  var modulators: [Modulator] = []

  /// From the least to the greatest; empty where they are the other way round.
  struct Range {
    var low: UInt8 = 0
    var high: UInt8 = 127

    var isEmpty: Bool { low > high }

    /// What lies in both.
    func and(_ other: Self) -> Self {
      Self(low: max(low, other.low), high: min(high, other.high))
    }
  }

  /// Reads the zone that a bag names.
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

  /// The generators that a level may set, a bit for each.
  private static func allowed(_ level: FontHydra.Level) -> UInt64 {
    level.link == 41 ? allowedInPresets : allowedInInstruments
  }

  private static let allowedInInstruments =
    bits(of: Array(0...58)) & ~bits(of: [14, 18, 19, 20, 41, 42, 43, 44, 53, 55])
  /// Addresses in a sample, and what replaces a note's own values, belong to instruments.
  private static let allowedInPresets =
    allowedInInstruments & ~bits(of: [0, 1, 2, 3, 4, 12, 45, 46, 47, 49, 50, 54, 57, 58])

  private static func bits(of kinds: [Int]) -> UInt64 { kinds.reduce(0) { $0 | 1 << UInt64($1) } }

  /// The generators that it sets, by their numbers.
  var setKinds: some Sequence<Int> { Bits(rest: isSet) }

  /// The places of the bits that are 1, from the lowest.
  private struct Bits: Sequence, IteratorProtocol {
    var rest: UInt64

    mutating func next() -> Int? {
      guard rest != 0 else { return nil }
      defer { rest &= rest - 1 }
      return rest.trailingZeroBitCount
    }
  }

  /// The zone with what the global one sets for all and it does not set itself.
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
  /// The zones of a preset or an instrument that lead somewhere, completed by the global zone, in
  /// the order in which they are struck: the last first.
  ///
  /// - Parameters:
  ///   - level: the tables.
  ///   - index: the preset's or the instrument's number in them.
  ///   - isUsable: whether what a zone leads to can be heard. The first zone is global where that
  ///     cannot, whatever it leads to.
  /// - Returns: none where nothing can be heard.
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
