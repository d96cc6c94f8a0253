// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension FontBuilder {
  /// A random font with a few presets, with all kinds of valid and invalid zones, modulators and
  /// samples.
  init(random: inout SplitMix) {
    self.init()
    samples = (0..<Int.random(in: 1...5, using: &random)).map { _ in Self.sample(&random) }
    let count = samples.count
    instruments = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Self.zones(to: 53, count, &random)
    }
    let instrumentCount = instruments.count
    presets = (0..<Int.random(in: 1...4, using: &random)).map { index in
      Preset(program: index / 2, zones: Self.zones(to: 41, instrumentCount, &random))
    }
  }

  /// FluidSynth crashes if a loop ends within three frames of its sample's start.
  private static func sample(_ random: inout SplitMix) -> Sample {
    let start = Int.random(in: 0..<900, using: &random)
    let end =
      Int.random(in: 0...9, using: &random) > 0
      ? Int.random(in: start + 40...1000, using: &random) : start
    let ends = [0, start + 16, start + 40, end - 10, end, end + 46, end + 60, 1000].map {
      max(0, $0)
    }
    return Sample(
      place: start..<end, loop: (one(of: ends, &random), one(of: ends, &random)),
      rate: one(of: [44_100, 8000, 96_000, 22_050], &random),
      key: one(of: [60, 60, 72, 255], &random),
      correction: Int.random(in: -99...99, using: &random),
      kind: one(of: [1, 1, 1, 2, 4, 0, 0x20, 0x8001], &random))
  }

  private static func zones(to link: Int, _ count: Int, _ random: inout SplitMix) -> [Zone] {
    (0..<Int.random(in: 0...5, using: &random)).map { _ in
      var generators = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        generator(&random)
      }
      if Int.random(in: 0..<5, using: &random) > 0 {
        generators.append((link, Int.random(in: 0..<count, using: &random)))
        generators.append((34, 77))
      }
      let modulators = (0..<one(of: [0, 0, 1, 3, 8], &random)).map { _ in modulator(&random) }
      return Zone(generators, modulators)
    }
  }

  private static func generator(_ random: inout SplitMix) -> (Int, Int)? {
    let kind = one(of: [43, 44, 48, 54, Int.random(in: 0...70, using: &random)], &random)
    switch kind {
    case 41, 53: return nil
    case 43, 44:
      let ends = [Int.random(in: 0...127, using: &random), 0, 127].shuffled(using: &random)
      return (kind, ends[0] | ends[1] << 8)
    case 49:
      // Reserved in the standard; the boost of DLS in Downbeat.
      _ = Int.random(in: -400...1000, using: &random)
      return nil
    case 54: return (kind, Int.random(in: 0...1, using: &random))
    case 8: return (kind, Int.random(in: 1000...14_000, using: &random))
    case 21...28, 30, 33...36, 38: return (kind, Int.random(in: -12_000...1500, using: &random))
    case 0...3: return (kind, Int.random(in: -8...8, using: &random))
    default: return (kind, Int.random(in: -400...1000, using: &random))
    }
  }

  private static func modulator(_ random: inout SplitMix) -> [Int] {
    let sources = [
      0x502, 0x102, 0x00D, 0x081, 0x587, 0x28A, 0x58B, 0x0DB, 0x20E, 0x688, 0x00A, 0, 0x080, 0x0E2,
      0x07F, 0x1402, 0x003, 0x203, 0x703, 0x882, 0xC02, 0xF03,
    ]
    return [
      one(of: sources, &random),
      one(of: [48, 8, 6, 5, 9, 11, 17, 16, 52, 34, 36, 38, 60], &random),
      one(of: [0, 960, -2400, 50, Int.random(in: -1500...1500, using: &random)], &random),
      one(of: [0, 0, 0, 0xC02, 0xD02, 0x010, 0x202, 0x002, 0x081, 0x1402], &random),
      one(of: [0, 0, 0, 0, 2], &random),
    ]
  }

  private static func one(of numbers: [Int], _ random: inout SplitMix) -> Int {
    numbers[Int.random(in: numbers.indices, using: &random)]
  }
}
