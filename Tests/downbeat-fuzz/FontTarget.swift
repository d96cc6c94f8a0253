// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import SoundFontInstruments
import TestSupport

/// Soundfonts: judged, and where they are found well given to an instrument.
struct FontTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seed = TinySoundFont.bytes
  private var (well, off, refused) = (0, 0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(well) well, \(off) off, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    let bytes = Self.mutated(seed, &random)
    try scene.keep(bytes)
    do {
      let font = try SoundFont(path: scene.inputPath)
      guard try font.tables.findings(in: font.bytes).isEmpty else {
        off += 1
        return
      }
      try font.tryOut()
      well += 1
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
  }

  /// A font with other bytes: mostly in the tables, which stand at the end; lengths are seldom
  /// changed.
  static func mutated(_ seed: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = seed
    let tables = bytes.indices.first { bytes[$0...].starts(with: "pdta".utf8) } ?? 0
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let start = Int.random(in: 0..<10, using: &random) > 0 ? tables : 0
      let place = Int.random(in: start..<bytes.count, using: &random)
      bytes[place] =
        [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    if Int.random(in: 0..<8, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    return bytes
  }
}
