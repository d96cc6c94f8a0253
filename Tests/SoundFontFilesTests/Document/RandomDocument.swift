// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport

/// Random documents with every kind of chunk, zone and sample, and valid numbers.
struct RandomDocument {
  private(set) var document = SoundFontDocument(name: "Chance")
  private var random: SplitMix

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    makeInformation()
    makeSamples()
    let samples = document.samples.count
    document.instruments = (0..<Int.random(in: 0...4, using: &random)).map { index in
      SoundFontDocument.Instrument(
        name: "Instrument \(index)", zones: samples > 0 ? zones(53, samples) : [])
    }
    let instruments = document.instruments.count
    document.presets = (0..<Int.random(in: 1...5, using: &random)).map { index in
      var preset = SoundFontDocument.Preset(
        name: "Preset \(index)", bank: UInt16.random(in: 0...128, using: &random),
        program: UInt16(index), zones: instruments > 0 ? zones(41, instruments) : [])
      preset.library = UInt32.random(in: 0...9, using: &random)
      return preset
    }
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func makeInformation() {
    for name in ["ICOP", "ICMT", "IENG", "XTRA", "irom"].shuffled(using: &random) {
      guard Bool.random(using: &random) else { continue }
      document.setInformation(name, bytes(Int.random(in: 0...9, using: &random)))
    }
    guard Bool.random(using: &random) else { return }
    document.defaultModulators = (0..<3).map { _ in modulator() }
  }

  private mutating func makeSamples() {
    let hasLowBytes = Bool.random(using: &random)
    for index in 0..<Int.random(in: 0...5, using: &random) {
      let isCompressed = Int.random(in: 0...3, using: &random) == 0
      let count = Int.random(in: 3...60, using: &random)
      let data =
        isCompressed
        ? SoundFontDocument.SampleData(compressed: FontBytes(bytes(count)))
        : SoundFontDocument.SampleData(
          frames: FontBytes(bytes(2 * count)),
          lowBytes: hasLowBytes && Bool.random(using: &random) ? FontBytes(bytes(count)) : nil)
      for part in 0..<Int.random(in: 1...2, using: &random) {
        var sample = SoundFontDocument.Sample(
          name: "Sample \(index).\(part)", data: data, isCompressed: isCompressed, loop: 1..<3,
          rate: UInt32.random(in: 400...192_000, using: &random),
          key: UInt8.random(in: 0...127, using: &random),
          correction: Int8.random(in: -99...99, using: &random))
        if part == 1, !isCompressed {
          sample.start = Int.random(in: 0..<count, using: &random)
          sample.end = Int.random(in: sample.start...count, using: &random)
          sample.loopStart = Int.random(in: -sample.start...9, using: &random)
        }
        document.samples.append(sample)
      }
    }
  }

  private mutating func zones(_ kind: UInt16, _ count: Int) -> [SoundFontDocument.Zone] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      var generators = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        SoundFontDocument.Generator(
          kind: [43, 44, 48, 8, 60, 900, 65_535].randomElement(using: &random) ?? 0,
          amount: UInt16.random(in: 0...65_535, using: &random))
      }
      if Int.random(in: 0...4, using: &random) > 0 {
        let target = UInt16.random(in: 0..<UInt16(count), using: &random)
        generators.append(SoundFontDocument.Generator(kind: kind, amount: target))
      }
      return SoundFontDocument.Zone(
        generators: generators,
        modulators: (0..<Int.random(in: 0...2, using: &random)).map { _ in modulator() })
    }
  }

  private mutating func modulator() -> SoundFontDocument.Modulator {
    SoundFontDocument.Modulator(
      source: UInt16.random(in: 0...65_535, using: &random),
      destination: UInt16.random(in: 0...65_535, using: &random),
      amount: Int16.random(in: -32_768...32_767, using: &random),
      amountSource: UInt16.random(in: 0...65_535, using: &random),
      transform: UInt16.random(in: 0...3, using: &random))
  }
}
