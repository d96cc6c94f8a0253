// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundfontGenerator

/// What every zone of the font is held to.
@Suite struct FontQualityTests {
  private static let font = DownbeatFont.make()

  /// Zones that are played at a pitch, with their layer and sample; drums and noises are not.
  private static let pitched: [(preset: Preset, layer: Layer, zone: Zone, sample: Sample)] =
    font.presets.filter { $0.bank < 128 && $0.program < 119 }.flatMap { preset in
      preset.layers.flatMap { layer in
        layer.voice.zones.map { (preset, layer, $0, font.samples[$0.sample]) }
      }
    }.filter { !$0.sample.isStruck && $0.layer.voice.settings.generators[.scaleTuning] != 0 }

  /// Those, and the strokes and effects that have pitches to be heard.
  private static let tonal: [(preset: Preset, layer: Layer, zone: Zone, sample: Sample)] =
    pitched
    + font.presets.filter { $0.bank == 128 || $0.program >= 119 }.flatMap { preset in
      preset.layers.flatMap { layer in
        layer.voice.zones.map { (preset, layer, $0, font.samples[$0.sample]) }
      }
    }.filter { !$0.sample.isStruck }

  @Test func `every looped zone sounds its key within two cents`() {
    for (preset, _, zone, sample) in Self.pitched where zone.looped {
      let sound = sample.sound
      let wanted = PortableMath.frequency(key: Double(zone.rootKey))
      let periods = (wanted * Double(sound.loopLength) / Double(sound.storedRate)).rounded()
      let sounding = periods * Double(sound.storedRate) / Double(sound.loopLength)
      let cents = 1200 * PortableMath.log2(sounding / wanted)
      #expect(abs(cents) < 2, "\(preset.name), \(sample.name): \(cents) cents")
    }
  }

  @Test func `layers that are tuned apart have the pitch of the key between them`() {
    for preset in Self.font.presets where preset.bank < 128 {
      let cents = preset.layers.compactMap { $0.settings.generators[.fineTune] }
      guard cents.count > 1 else { continue }
      let mean = Double(cents.reduce(0, +)) / Double(preset.layers.count)
      #expect(abs(mean) <= 2, "\(preset.name): \(cents)")
    }
  }

  @Test func `the zones of a voice are equally loud within a decibel and a half`() {
    for preset in Self.font.presets where preset.bank < 128 && preset.program < 112 {
      for layer in preset.layers {
        let levels = layer.voice.zones.compactMap { zone -> Double? in
          let sound = Self.font.samples[zone.sample].sound
          let peak = sound.wave.reduce(0) { max($0, abs($1)) }
          // One whose peaks fill the range already cannot be louder.
          return peak > 0.96 ? nil : sound.loudness(over: 0.6)
        }
        guard let low = levels.min(), let high = levels.max() else { continue }
        #expect(high - low < 3, "\(preset.name), \(layer.voice.name): \(low)…\(high)")
      }
    }
  }

  @Test func `interpolation images lie 60 dB below every zone with pitches to be heard`() {
    var spectra: [Int: Spectrum] = [:]
    var seen: Set<[Int]> = []
    for (preset, _, zone, sample) in Self.tonal {
      // Beyond the outer samples no instrument plays.
      let keys = Self.transposition(zone)
      guard keys.overlaps(-6...6) else { continue }
      for semitones in [max(-6, keys.lowerBound), 0, min(6, keys.upperBound)]
      where seen.insert([zone.sample, semitones]).inserted {
        let sound = sample.sound
        let spectrum = spectra[zone.sample] ?? Spectrum(Self.sounding(sound), size: 16384)
        spectra[zone.sample] = spectrum
        let images = spectrum.images(
          rate: Double(sound.storedRate), factor: 1, semitones: Double(semitones))
        #expect(images < -60, "\(preset.name), \(sample.name) at \(semitones): \(images) dB")
      }
    }
  }

  /// How many semitones above its pitch, at least and at most, a zone plays its sample.
  private static func transposition(_ zone: Zone) -> ClosedRange<Int> {
    let root = zone.rootKey - (zone.settings.generators[.coarseTune] ?? 0)
    return zone.keys.lowerBound - root...zone.keys.upperBound - root
  }

  private static func sounding(_ sound: Sound) -> [Double] {
    sound.loopLength > 0
      ? sound.unrolled(Double(sound.wave.count + 16384) / sound.rate) : sound.wave
  }

  @Test func `no key lies more than six semitones from its sample`() {
    for (preset, layer, zone, sample) in Self.pitched {
      // Beyond the outer samples no instrument plays.
      let roots = layer.voice.zones.map(\.rootKey)
      let outer = [roots.min(), roots.max()]
      let reach = Self.transposition(zone)
      if zone.rootKey != outer[0] {
        #expect(reach.lowerBound >= -6, "\(preset.name), \(sample.name): \(reach)")
      }
      if zone.rootKey != outer[1] {
        #expect(reach.upperBound <= 6, "\(preset.name), \(sample.name): \(reach)")
      }
    }
  }

  @Test func `a loop goes on where it began`() {
    for sample in Self.font.samples where sample.sound.loopLength > 0 {
      let sound = sample.sound
      let loop = Array(sound.wave[sound.loopStart...])
      let bends = loop.indices.dropFirst().dropLast().map {
        abs(loop[$0 - 1] - 2 * loop[$0] + loop[$0 + 1])
      }
      let last = loop.count - 1
      let seam = abs(loop[last - 1] - 2 * loop[last] + loop[0])
      #expect(seam <= (bends.max() ?? 0) * 1.1 + 1e-6, "\(sample.name)")
    }
  }
}
