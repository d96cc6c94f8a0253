// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import SoundFontFiles
public import SoundFontInstruments

extension FontUse {
  /// Returns one of the fonts with only the presets and samples that the songs play, to be loaded
  /// in place of the whole font.
  ///
  /// With the trimmed font, Downbeat's voices play the songs with exactly the same samples.
  ///
  /// - Parameter layer: The index of the font among the layers.
  /// - Returns: The font, without presets if the songs do not use the font.
  /// - Throws: `InstrumentError` if the font cannot be read.
  public func trimmed(layer: Int) throws(InstrumentError) -> SoundFontDocument {
    let document = try layers[layer].font.document
    var trimmed = document.trimmed(to: notes(ofLayer: layer))
    trimmed.keepNames(of: presets.filter { $0.layer == layer }.map(\.own), from: document)
    return trimmed
  }

  /// Returns one font that contains only the presets and samples of all fonts that the songs play.
  ///
  /// The font is meant to have precedence over any other font, for example as an embedded bank. The
  /// bank numbers are those that the songs select. If no font contains a selected preset, so that
  /// another preset is played instead, that preset is also stored under the selected number;
  /// otherwise a font with lower precedence could play the selected preset. If no preset can be
  /// played instead, a silent one is stored. If the fonts have different gains, the gains are
  /// stored as attenuations in steps of 0.04 dB; the loudest font does not change.
  ///
  /// - Returns: The font, with the texts of the first font that is used, and the name, the maker
  ///   and the rights of the others in the comment; nil if the songs do not use any font.
  /// - Throws: `InstrumentError` if a font cannot be read.
  public func bank() throws(InstrumentError) -> SoundFontDocument? {
    let presets = presets
    let loudest = layers.map(\.gain).max() ?? 1
    var bank: SoundFontDocument?
    for (index, layer) in layers.enumerated() {
      let own = presets.filter { $0.layer == index }
      guard !own.isEmpty else { continue }
      var font = try trimmed(layer: index)
      font.presets = own.flatMap { use in Self.numbered(use, in: font, standingIn: standsIn) }
      font.attenuate(by: Self.decibels(from: layer.gain, to: loudest))
      if var all = bank {
        all.append(font)
        all.addRights(of: font)
        bank = all
      } else {
        bank = font
      }
    }
    if standsIn { bank?.addSilences(silences.sorted()) }
    return bank
  }

  /// The preset of a use under all its numbers.
  private static func numbered(
    _ use: Preset, in font: SoundFontDocument, standingIn: Bool
  ) -> [SoundFontDocument.Preset] {
    guard
      let preset = font.presets.first(where: {
        Int($0.bank) == use.own.bank && Int($0.program) == use.own.program
      })
    else { return [] }
    return ([use.played] + (standingIn ? use.standsFor : [])).compactMap { number in
      guard let bank = UInt16(exactly: number.bank) else { return nil }
      var preset = preset
      (preset.bank, preset.program) = (bank, UInt16(number.program))
      return preset
    }
  }

  private static func decibels(from gain: Float, to loudest: Float) -> Double {
    gain < loudest ? 20 * log10(Double(loudest) / Double(max(gain, 1e-7))) : 0
  }
}

extension SoundFontDocument {
  /// Adds presets of a font without sounds, if they were left out because no note sounds.
  ///
  /// Without them the notes would be played by other presets.
  fileprivate mutating func keepNames(of numbers: [FontUse.Number], from font: SoundFontDocument) {
    for number in numbers {
      func isIt(_ preset: Preset) -> Bool {
        Int(preset.bank) == number.bank && Int(preset.program) == number.program
      }
      guard !presets.contains(where: isIt), var preset = font.presets.last(where: isIt) else {
        continue
      }
      preset.zones = []
      presets.append(preset)
    }
  }

  /// Adds presets without sounds.
  fileprivate mutating func addSilences(_ numbers: [FontUse.Number]) {
    presets += numbers.compactMap { number in
      guard let bank = UInt16(exactly: number.bank) else { return nil }
      return Preset(name: "Silence", bank: bank, program: UInt16(number.program), zones: [])
    }
  }

  /// Adds the name, the maker, the copyright and the comment of another font to the comment.
  fileprivate mutating func addRights(of other: SoundFontDocument) {
    let texts = ["INAM", "IENG", "ICOP", "ICMT"].compactMap { other.text($0) }
    let words = texts.filter { !$0.isEmpty }.joined(separator: "; ")
    guard !words.isEmpty else { return }
    let own = text("ICMT") ?? ""
    setText("ICMT", own.isEmpty ? words : "\(own) / \(words)")
  }

  /// One step of the generator as synthesisers play it, in decibels: two fifths of a centibel.
  private static let step = 0.04

  /// Makes all presets softer.
  fileprivate mutating func attenuate(by decibels: Double) {
    let amount = Int16(clamping: Int(min(decibels / Self.step, 32_767).rounded()))
    guard amount > 0 else { return }
    for index in presets.indices { presets[index].zones.attenuate(by: amount) }
  }
}

extension [SoundFontDocument.Zone] {
  /// Adds to the attenuation of each zone; a global zone's is inherited.
  fileprivate mutating func attenuate(by amount: Int16) {
    let isInherited = first.map { $0.link == nil && $0.attenuation != nil } ?? false
    for zone in indices {
      if let place = self[zone].attenuation {
        let sum = Int(self[zone].generators[place].value) + Int(amount)
        self[zone].generators[place].amount = UInt16(bitPattern: Int16(clamping: sum))
      } else if !isInherited, let link = self[zone].link {
        self[zone].generators.insert(
          SoundFontDocument.Generator(kind: .attenuation, value: amount), at: link)
      }
    }
  }
}

extension SoundFontDocument.Zone {
  /// The place of the attenuation among the generators.
  fileprivate var attenuation: Int? { generators.firstIndex { $0.kind == .attenuation } }
  /// The place of the link to an instrument; nil in a global zone.
  fileprivate var link: Int? { generators.firstIndex { $0.kind == .instrument } }
}

extension UInt16 {
  /// The number of the generator that attenuates.
  fileprivate static let attenuation: UInt16 = 48
  /// The number of the generator that is the link of a preset's zone.
  fileprivate static let instrument: UInt16 = 41
}
