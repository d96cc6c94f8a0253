// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// Appends the presets of another font, with their instruments and samples.
  ///
  /// Drum kits in bank 128 remain in this bank, and other banks are never moved to 128, as for a
  /// font that is loaded with a bank offset. The texts of this font do not change. If the fonts
  /// have different default modulators, those of the other font are added to its instruments.
  ///
  /// - Parameters:
  ///   - other: The other font.
  ///   - offset: The number that is added to the banks of the other font's presets.
  /// - Returns: The presets that were left out, because this font has a preset with the same bank
  ///   and program, or because the bank would be outside 0…65,535.
  /// - Complexity: O(n) in the size of the tables.
  @discardableResult
  public mutating func append(_ other: SoundFontDocument, bankOffset offset: Int = 0) -> [Preset] {
    var other = other
    let left = other.moveBanks(by: offset, exceptTaken: numbers)
    other.adoptModulators(of: self)
    other.shiftLinks(instruments: instruments.count, samples: samples.count)
    presets += other.presets
    instruments += other.instruments
    samples += other.samples
    frame.wholeData += other.frame.wholeData.filter { data in
      !frame.wholeData.contains { $0 === data }
    }
    repairs += other.repairs
    let newer = other.version
    if version < newer { setVersion(major: newer.major, minor: newer.minor) }
    return left
  }

  /// The banks and programs of the presets.
  private var numbers: Set<PresetNumber> {
    Set(presets.map { PresetNumber(bank: Int($0.bank), program: Int($0.program)) })
  }

  private static let kits = 128

  /// Changes the banks of presets, and removes those without a valid bank; returns the removed
  /// ones.
  private mutating func moveBanks(
    by offset: Int, exceptTaken taken: Set<PresetNumber>
  ) -> [Preset] {
    var left: [Preset] = []
    var kept: [Preset] = []
    for preset in presets {
      let bank = Int(preset.bank)
      let (moved, isOverflow) = bank.addingReportingOverflow(bank == Self.kits ? 0 : offset)
      let isAllowed = moved != Self.kits || bank == Self.kits
      guard !isOverflow, isAllowed, let new = UInt16(exactly: moved),
        !taken.contains(PresetNumber(bank: moved, program: Int(preset.program)))
      else {
        left.append(preset)
        continue
      }
      kept.append(preset)
      kept[kept.count - 1].bank = new
    }
    presets = kept
    if !left.isEmpty { removeUnused() }
    return left
  }

  /// Increases all links by the number of instruments and samples of the font before.
  private mutating func shiftLinks(instruments: Int, samples: Int) {
    for index in presets.indices {
      presets[index].zones.shift(Generator.instrumentKind, by: instruments)
    }
    for index in self.instruments.indices {
      self.instruments[index].zones.shift(Generator.sampleKind, by: samples)
    }
    for index in self.samples.indices where self.samples[index].isLinked {
      self.samples[index].link = UInt16(clamping: Int(self.samples[index].link) + samples)
    }
  }
}

extension SoundFontDocument {
  /// Preserves the effect of the font's default modulators when it becomes part of another font.
  ///
  /// Each instrument gets them in its global zone, and those of the other font with the amount 0.
  private mutating func adoptModulators(of other: Self) {
    let (own, new) = (playedModulators, other.playedModulators)
    guard own != new else { return }
    let idle = new.filter { modulator in !own.contains { $0.isLike(modulator) } }
      .map { $0.with(amount: 0) }
    // More cannot be written.
    let most = TableWriting.limit / max(1, own.count + idle.count) + 1
    let used = instruments.indices.filter { !instruments[$0].zones.isEmpty }
    for index in used.prefix(most) {
      var zones = instruments[index].zones
      let link = zones[0].link(Generator.sampleKind)
      if let link, samples.indices.contains(link), samples[link].isUsable {
        zones.insert(Zone(), at: 0)
      }
      for modulator in own + idle
      where !zones[0].modulators.contains(where: { $0.isLike(modulator) }) {
        zones[0].modulators.append(modulator)
      }
      instruments[index].zones = zones
    }
  }
}

extension SoundFontDocument {
  /// The modulators of every note, limited to the number that is read from a font.
  private var playedModulators: [Modulator] {
    defaultModulators.map { Array($0.prefix(SoundFontTables.modulatorLimit - 1)) }
      ?? Modulator.standard
  }
}

extension SoundFontDocument.Modulator {
  /// The default modulators in Downbeat's voices for fonts without a chunk `DMOD`.
  ///
  /// Source: SoundFont 2.04, section 8.4, without 8.4.2, and with key pressure.
  fileprivate static let standard: [Self] = [
    Self(source: 0x502, destination: 48, amount: 960),
    Self(source: 0x00D, destination: 6, amount: 50),
    Self(source: 0x081, destination: 6, amount: 50),
    Self(source: 0x587, destination: 48, amount: 960),
    Self(source: 0x28A, destination: 17, amount: 500),
    Self(source: 0x58B, destination: 48, amount: 960),
    Self(source: 0x0DB, destination: 16, amount: 200),
    Self(source: 0x0DD, destination: 15, amount: 200),
    Self(source: 0x20E, destination: 52, amount: 12_700, amountSource: 0x010),
    Self(source: 0x00A, destination: 6, amount: 50),
  ]

  /// True if both change the same generator by the same sources.
  fileprivate func isLike(_ other: Self) -> Bool {
    source == other.source && destination == other.destination
      && amountSource == other.amountSource
  }

  fileprivate func with(amount: Int16) -> Self {
    var modulator = self
    modulator.amount = amount
    return modulator
  }
}

extension SoundFontDocument.Sample {
  /// True if it is part of a stereo or linked sample.
  var isLinked: Bool { kind & 0xE != 0 && !isInROM }
}

extension [SoundFontDocument.Zone] {
  /// Increases the amounts of a generator.
  ///
  /// Amounts that become too large are invalid links.
  fileprivate mutating func shift(_ kind: UInt16, by count: Int) {
    for zone in indices {
      for place in self[zone].generators.indices where self[zone].generators[place].kind == kind {
        let amount = Int(self[zone].generators[place].amount)
        self[zone].generators[place].amount = UInt16(clamping: amount + count)
      }
    }
  }
}
