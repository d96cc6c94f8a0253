// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// DLS files of a few kilobytes with all kinds of chunks, and damaged copies of them.
enum DLSSeed {
  /// A file of level 1 and one of level 2, with waves of all formats.
  static let files: [[UInt8]] = [1, 2].map(file)

  private static func file(level: Int) -> [UInt8] {
    var file = TinyDLS()
    file.waves += [(1, 8, 1), (1, 16, 2), (1, 24, 1), (6, 8, 1), (7, 8, 2)].map(wave)
    file.extra = TinyDLS.chunk("cdl ", condition) + TinyDLS.chunk("vers", [0, 0, 1, 0, 0, 0, 0, 0])
    file.instruments = [0, 8, 0x8000_0000, 0x7900, 0x0001, 0x0101].enumerated().map { index, bank in
      var instrument = TinyDLS.Instrument()
      // The last two take the same bank of a soundfont.
      (instrument.bank, instrument.program) = (UInt32(bank), min(index, 4))
      instrument.articulation = TinyDLS.articulation(level: level, connections)
      instrument.regions = (0..<6).map { region($0, level: level) }
      return instrument
    }
    return file.bytes
  }

  private static func wave(_ format: Int, _ bits: Int, _ channels: Int) -> TinyDLS.Wave {
    var wave = TinyDLS.Wave(frames: [], sample: TinyDLS.sample(tuning: -7, loop: 4..<20))
    (wave.format, wave.bits, wave.channels) = (format, bits, channels)
    wave.data = (0..<24 * channels * bits / 8).map { UInt8(truncatingIfNeeded: 37 * $0) }
    return wave
  }

  private static func region(_ index: Int, level: Int) -> TinyDLS.Region {
    var region = TinyDLS.Region()
    region.wave = index
    region.keys = index * 20...index * 20 + 40
    (region.group, region.phaseGroup, region.channels) = (index % 3, index / 4, 1 + index % 2)
    region.kind = level == 2 && index % 2 == 1 ? "rgn2" : "rgn "
    if index % 2 == 0 {
      region.sample = TinyDLS.sample(
        key: 50 + index, tuning: 3, gain: (index - 2) << 16, loop: 2..<20, type: index % 2)
      region.articulation = TinyDLS.articulation(level: level, connections.reversed())
    }
    if index == 3 { region.extra = TinyDLS.chunk("cdl ", condition) }
    if index == 1 { region.extra = sizeless }
    return region
  }

  /// A chunk with a wrong size, as a widespread font has them.
  private static let sizeless =
    Array("crs1".utf8) + TinyDLS.number(0x7F00_0001) + [UInt8](repeating: 9, count: 28)

  /// 1 + 1 > 1, and a query.
  private static let condition: [UInt8] = [
    0x10, 0, 1, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 4, 0, 0x0C, 0, 0x11, 0,
    0x27, 0x2F, 0x8F, 0x17, 0x64, 0xC3, 0xD1, 0x11, 0xA7, 0x60, 0, 0, 0xF8, 0x75, 0xAC, 0x12, 8, 0,
  ]

  private static let connections: [(Int, Int, Int, Int, Double)] = [
    (0, 0, 0x206, 0, -2400), (0, 0, 0x207, 0, 1200), (0, 0, 0x20A, 0, 700), (0, 0, 0x209, 0, -900),
    (2, 0, 1, 0x8400, -960), (1, 0x81, 3, 0x4000, 50), (9, 8, 3, 0x4000, 50), (5, 0, 3, 0, 100),
    (3, 0, 3, 0, 12_700), (3, 0, 0x207, 0, -3000), (0, 0, 0x500, 0, 9000), (0, 0, 1, 0, 20),
    (6, 0x100, 3, 0x4000, 12_800), (0x8A, 0, 4, 0x4000, 508), (5, 2, 0x500, 0x1000, 3000),
    (0, 0, 5, 0, 60), (3, 0, 5, 0, 6400), (5, 0, 3, 0x8000, 1200), (5, 0x81, 0x500, 0x8000, 2400),
  ]

  /// A damaged copy of one of the files.
  static func mutated(_ random: inout SplitMix) -> [UInt8] {
    var bytes = files.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: setNumber(after: names, &bytes, &random)
      case 1: setNumber(after: ["wlnk", "wsmp", "fmt ", "ptbl", "insh"], &bytes, &random)
      case 2: exchange(&bytes, &random)
      default:
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
    }
    if Int.random(in: 0..<6, using: &random) == 0 {
      bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
      if Bool.random(using: &random) {
        bytes.replaceSubrange(4..<8, with: TinyDLS.number(max(0, bytes.count - 8)))
      }
    }
    return bytes
  }

  private static let names = [
    "LIST", "lins", "ins ", "insh", "lrgn", "rgn ", "rgnh", "wsmp", "wlnk", "art1", "art2", "lart",
    "lar2", "ptbl", "wvpl", "wave", "fmt ", "data", "cdl ", "INFO", "colh", "crs1",
  ]
  private static let numbers = [
    0, 1, 2, 3, 7, 8, 20, 255, 65_535, 65_536, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF,
  ]

  /// Sets a number of a random chunk of a kind: mostly its size, or one of its content.
  private static func setNumber(
    after names: [String], _ bytes: inout [UInt8], _ random: inout SplitMix
  ) {
    let letters = Array((names.randomElement(using: &random) ?? "LIST").utf8)
    let start = Int.random(in: 0..<bytes.count, using: &random)
    guard bytes.count > start + 48,
      let place = bytes[start...].indices.first(where: { bytes[$0...].starts(with: letters) }),
      place + 48 < bytes.count
    else { return }
    let offset = 4 + 2 * Int.random(in: 0..<16, using: &random)
    let value = numbers.randomElement(using: &random) ?? 0
    let size = Bool.random(using: &random) ? 4 : 2
    bytes.replaceSubrange(
      place + offset..<place + offset + size, with: TinyDLS.number(value, size))
  }

  /// Copies a piece to another place, as overlapping chunks do.
  private static func exchange(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let length = Int.random(in: 4...min(200, bytes.count - 1), using: &random)
    let from = Int.random(in: 0...bytes.count - length, using: &random)
    let to = Int.random(in: 0...bytes.count - length, using: &random)
    bytes.replaceSubrange(to..<to + length, with: Array(bytes[from..<from + length]))
  }
}
