// SPDX-License-Identifier: Apache-2.0

/// A region as a zone of a soundfont.
struct DLSZone {
  typealias Generator = SoundFontDocument.Generator

  static let pan: UInt16 = 17
  private static let attenuation: UInt16 = 48
  private static let boost: UInt16 = 49
  private static let coarseTune: UInt16 = 51
  private static let fineTune: UInt16 = 52
  private static let loopMode: UInt16 = 54
  private static let scaleTuning: UInt16 = 56
  private static let exclusiveClass: UInt16 = 57
  private static let rootKey: UInt16 = 58

  let keys: ClosedRange<UInt8>
  let velocities: ClosedRange<UInt8>
  /// The amounts of generators, except ranges and the sample.
  private(set) var amounts = GeneratorTable<Int16>(zero: 0)
  private(set) var modulators: [SoundFontDocument.Modulator]
  private(set) var sample: UInt16 = 0

  /// Creates the zone of a region; nil if the range of keys or velocities is empty.
  ///
  /// Some writers state the velocities 0–0 and mean all.
  init?(_ region: DLSRegion, _ articulation: DLSArticulation) {
    let highest = region.velocities.high == 0 ? 127 : region.velocities.high
    guard let keys = Self.range(region.keys.low, region.keys.high),
      let velocities = Self.range(region.velocities.low, highest)
    else { return nil }
    (self.keys, self.velocities) = (keys, velocities)
    modulators = articulation.modulators
    articulation.amounts.forEach { kind, amount in
      set(kind, amount, keepsDefault: articulation.isMoved >> UInt64(kind) & 1 != 0)
    }
    // Members of a group stop each other.
    set(Self.exclusiveClass, Double(region.keyGroup))
  }

  private static func range(_ low: Int, _ high: Int) -> ClosedRange<UInt8>? {
    low <= high && low < 128 ? UInt8(low)...UInt8(min(high, 127)) : nil
  }

  /// Sets a generator, unless the amount is its default.
  private mutating func set(_ kind: UInt16, _ amount: Double, keepsDefault: Bool = false) {
    let value = Int16(clamping: Int(max(-40_000, min(40_000, amount)).rounded()))
    let isDefault: Bool =
      switch kind {
      case 8: value >= 13_500
      case 46: value < 0
      // Times of 1 ms and less.
      case 21, 23, 25...28, 30, 33...36, 38: value <= -12_000
      case Self.scaleTuning: value == 100
      default: value == 0
      }
    amounts[kind] = isDefault && !keepsDefault ? nil : value
  }

  /// Sets the sample that the zone plays.
  ///
  /// - Parameters:
  ///   - index: The index of the sample.
  ///   - sample: The sample.
  ///   - settings: The tuning, gain and loop.
  ///   - articulation: The region's articulation.
  ///   - pan: The number that is added to the pan, −500…500.
  mutating func play(
    _ index: UInt16, _ sample: SoundFontDocument.Sample, _ settings: DLSSample,
    _ articulation: DLSArticulation, pan: Int
  ) {
    self.sample = index
    set(Self.pan, Double(pan) + (articulation.amounts[Self.pan] ?? 0))
    if settings.loop != nil { set(Self.loopMode, settings.endsWithKey ? 3 : 1) }
    if Int(sample.key) != settings.key { amounts[Self.rootKey] = Int16(settings.key) }
    setPitch(settings, articulation, corrected: Int(sample.correction))
    setGain(Double(settings.gain) / 65_536 + articulation.gain, rise: articulation.rise)
  }

  /// Sets the tuning, and the interval between keys; a fraction of a cent per key becomes a
  /// modulator.
  private mutating func setPitch(
    _ settings: DLSSample, _ articulation: DLSArticulation, corrected: Int
  ) {
    let tracking = max(-153_600, min(153_600, articulation.keyTracking))
    let cents = (tracking / 128).rounded()
    set(Self.scaleTuning, cents)
    let rest = tracking - cents * 128
    if rest != 0 {
      modulators.append(
        SoundFontDocument.Modulator(
          source: 3, destination: Self.fineTune, amount: Int16(rest.rounded())))
    }
    let tuning =
      Double(settings.tuning - corrected) + articulation.tuning - rest * Double(settings.key) / 128
    let whole = Int(max(-12_000, min(12_000, tuning)).rounded())
    set(Self.coarseTune, Double(whole / 100))
    set(Self.fineTune, Double(whole % 100))
  }

  /// Sets the gain, in centibels.
  ///
  /// A soundfont has an attenuation, of which synthesisers use 0.4. A gain above that of the
  /// sample, also by modulators, is stored again in a generator that other programs ignore.
  private mutating func setGain(_ gain: Double, rise: Double) {
    set(Self.attenuation, -gain * 2.5)
    set(Self.boost, max(0, min(120, (gain + rise).rounded(.up))))
  }

  /// The zone without the settings of a global zone.
  func zone(
    without global: GeneratorTable<Int16>, modulators isOwn: Bool
  ) -> SoundFontDocument.Zone {
    var generators: [Generator] = []
    if keys != 0...127 { generators.append(.keys(keys)) }
    if velocities != 0...127 { generators.append(.velocities(velocities)) }
    var own = amounts
    own.remove(equalIn: global)
    generators += own.generators
    generators.append(.sample(sample))
    return SoundFontDocument.Zone(generators: generators, modulators: isOwn ? modulators : [])
  }
}

extension GeneratorTable<Int16> {
  /// The generators that are set, in ascending order.
  fileprivate var generators: [SoundFontDocument.Generator] {
    var generators: [SoundFontDocument.Generator] = []
    forEach { generators.append(SoundFontDocument.Generator(kind: $0, value: $1)) }
    return generators
  }
}

/// The zones of an instrument, after a global zone with the settings that all have in common.
///
/// A soundfont's tables have room for 65,535 generators.
struct DLSZones {
  private var zones: [DLSZone] = []
  private var common = GeneratorTable<Int16>(zero: 0)
  private var haveSameModulators = true

  /// Appends a zone.
  mutating func append(_ zone: DLSZone) {
    if let first = zones.first {
      common.keep(equalIn: zone.amounts)
      haveSameModulators = haveSameModulators && zone.modulators == first.modulators
    } else {
      common = zone.amounts
    }
    zones.append(zone)
  }

  /// The zones, the global one first.
  var list: [SoundFontDocument.Zone] {
    guard let first = zones.first, zones.count > 1 else {
      return zones.map { $0.zone(without: GeneratorTable(zero: 0), modulators: true) }
    }
    let global = SoundFontDocument.Zone(
      generators: common.generators, modulators: haveSameModulators ? first.modulators : [])
    let own = zones.map { $0.zone(without: common, modulators: !haveSameModulators) }
    return global.generators.isEmpty && global.modulators.isEmpty ? own : [global] + own
  }
}
