// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A font constructed for a test, with valid or invalid tables.
///
/// Source: SoundFont 2.04, sections 4 to 7.
struct FontBuilder {
  /// Generators by number and amount, in order, and modulators as source, generator, amount, amount
  /// source and transform.
  struct Zone {
    var generators: [(Int, Int)] = []
    var modulators: [[Int]] = []

    init(_ generators: [(Int, Int)], _ modulators: [[Int]] = []) {
      self.generators = generators
      self.modulators = modulators
    }

    /// A range, encoded as a generator's amount.
    static func range(_ range: ClosedRange<Int>) -> Int { range.lowerBound | range.upperBound << 8 }
  }

  struct Preset {
    var bank = 0
    var program = 0
    var zones: [Zone]
  }

  struct Sample {
    var place: Range<Int>
    var loop: (start: Int, end: Int)
    var rate = 44_100
    var key = 60
    var correction = 0
    /// 1 mono, 16 compressed, 32 768 in ROM.
    var kind = 1
  }

  /// Presets; each refers to instruments by generator 41.
  var presets: [Preset]
  /// The zones of instruments, which refer to samples by generator 53.
  var instruments: [[Zone]]
  var samples: [Sample]
  /// The sample data.
  var data: [UInt8]
  /// The lower bytes of the frames, which require version 2.4; empty for none.
  var lowBytes: [UInt8] = []
  /// The chunk `DMOD`: modulators in the form of zones; nil for none.
  var defaultModulators: [[Int]]?
  /// True to leave the modulator tables empty and the generator tables without their closing
  /// record, if no zone has modulators.
  var isUnclosed = false
  /// The minor version of the format, after 2.
  var minorVersion = 1

  /// A font of one preset and one instrument with one sample: a sawtooth of 1000 frames and 46 of
  /// silence.
  init(
    preset: [Zone] = [Zone([(41, 0)])], instrument: [Zone] = [Zone([(53, 0)])],
    samples: [Sample] = [Sample(place: 0..<1000, loop: (200, 800))]
  ) {
    presets = [Preset(zones: preset)]
    instruments = [instrument]
    self.samples = samples
    data = (0..<1046).flatMap { Self.word($0 < 1000 ? Self.frame($0) : 0) }
  }

  /// A frame of the sawtooth.
  static func frame(_ place: Int) -> Int { place % 100 * 200 - 10_000 }

  var bytes: [UInt8] {
    let information =
      Self.chunk("ifil", Self.word(2) + Self.word(minorVersion))
      + Self.chunk("isng", Self.text("EMU8000", 8))
      + Self.chunk("INAM", Self.text("Test", 6))
      + (defaultModulators.map { list in
        Self.chunk(
          "DMOD", list.flatMap { $0.flatMap(Self.word) } + [UInt8](repeating: 0, count: 10))
      } ?? [])
    return Self.chunk(
      "RIFF",
      Array("sfbk".utf8) + Self.list("INFO", information)
        + Self.list(
          "sdta",
          Self.chunk("smpl", data) + (lowBytes.isEmpty ? [] : Self.chunk("sm24", lowBytes)))
        + Self.list("pdta", presetTables + instrumentTables + sampleHeaders))
  }

  private var presetTables: [UInt8] {
    var headers: [UInt8] = []
    var bag = 0
    for preset in presets + [Preset(zones: [])] {
      headers += Self.text("Preset", 20) + Self.word(preset.program) + Self.word(preset.bank)
      headers += Self.word(bag) + [UInt8](repeating: 0, count: 12)
      bag += preset.zones.count
    }
    return Self.chunk("phdr", headers) + zones(presets.flatMap(\.zones), "p")
  }

  private var instrumentTables: [UInt8] {
    var headers: [UInt8] = []
    var bag = 0
    for zones in instruments + [[]] {
      headers += Self.text("Instrument", 20) + Self.word(bag)
      bag += zones.count
    }
    return Self.chunk("inst", headers) + zones(instruments.flatMap { $0 }, "i")
  }

  private var sampleHeaders: [UInt8] {
    var headers: [UInt8] = []
    for sample in samples {
      headers += Self.text("Sample", 20)
      for number in [
        sample.place.lowerBound, sample.place.upperBound, sample.loop.start, sample.loop.end,
        sample.rate,
      ] {
        headers += Self.long(number)
      }
      headers += Self.word(sample.key | (sample.correction & 0xFF) << 8)
      headers += Self.word(0) + Self.word(sample.kind)
    }
    return Self.chunk("shdr", headers + Self.text("EOS", 46))
  }

  private func zones(_ zones: [Zone], _ letter: String) -> [UInt8] {
    var bags: [UInt8] = []
    var generators: [UInt8] = []
    var modulators: [UInt8] = []
    for zone in zones {
      bags += Self.word(generators.count / 4) + Self.word(modulators.count / 10)
      generators += zone.generators.flatMap { Self.word($0.0) + Self.word($0.1) }
      modulators += zone.modulators.flatMap { $0.flatMap(Self.word) }
    }
    bags += Self.word(generators.count / 4) + Self.word(modulators.count / 10)
    let closing = [UInt8](repeating: 0, count: 10)
    return Self.chunk("\(letter)bag", bags)
      + Self.chunk("\(letter)mod", isUnclosed ? modulators : modulators + closing)
      + Self.chunk("\(letter)gen", isUnclosed ? generators : generators + closing.prefix(4))
  }

  private static func list(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    chunk("LIST", Array(kind.utf8) + body)
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + long(body.count) + body + (body.count % 2 == 1 ? [0] : [])
  }

  private static func text(_ text: String, _ length: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
  }

  private static func word(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private static func long(_ value: Int) -> [UInt8] { word(value) + word(value >> 16) }
}
