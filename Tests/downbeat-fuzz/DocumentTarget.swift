// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport

/// Soundfonts as documents: read, written, trimmed and merged.
struct DocumentTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seeds = [
    TinySoundFont.bytes, TinySoundFont.withTimbres, TinySoundFont.compressed([1, 2, 3, 4, 5]),
  ]
  private var (same, repaired, refused) = (0, 0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(same) written as read, \(repaired) repaired, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    let seed = seeds.randomElement(using: &random) ?? []
    let bytes = FontTarget.mutated(seed, &random)
    try scene.keep(bytes)
    let document: SoundFontDocument
    do { document = try SoundFontDocument(FontBytes(bytes)) } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
      return
    }
    try judge(document, bytes)
    try change(document, &random)
    // The program itself takes most of it.
    let peak = try PeakMemory.bytes()
    try FuzzFault.unless(peak < 256 << 20, "\(peak) bytes of memory")
  }

  /// A font that needs no repair is written as it was; any other is repaired once.
  private mutating func judge(_ document: SoundFontDocument, _ bytes: [UInt8]) throws {
    let first = try Self.written(document)
    guard !document.repairs.isEmpty else {
      try FuzzFault.unless(first == bytes, "written otherwise than read")
      same += 1
      return
    }
    let again = try SoundFontDocument(FontBytes(first))
    try FuzzFault.unless(again.repairs.isEmpty, "repaired twice: \(again.repairs)")
    try FuzzFault.unless(Self.written(again) == first, "repaired and written otherwise")
    repaired += 1
  }

  /// Changed fonts can be read, and need no repair.
  private func change(_ document: SoundFontDocument, _ random: inout SplitMix) throws {
    var notes = PlayedNotes()
    for _ in 0..<8 {
      notes.insert(
        bank: [0, 127, 128].randomElement(using: &random) ?? 0,
        program: Int.random(in: 0...1, using: &random),
        key: UInt8.random(in: 0...127, using: &random),
        velocity: UInt8.random(in: 0...127, using: &random))
    }
    let trimmed = document.trimmed(to: notes)
    var merged = document
    merged.append(trimmed, bankOffset: Int.random(in: -200...200, using: &random))
    merged.removeUnused()
    for font in [trimmed, merged] where !font.presets.isEmpty {
      let read = try SoundFontDocument(FontBytes(Self.written(font)))
      try FuzzFault.unless(
        read.repairs.isEmpty && read.presets == font.presets
          && read.instruments == font.instruments, "changed and read otherwise")
    }
  }

  private static func written(_ document: SoundFontDocument) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try SoundFontWriter(document).write { bytes += $0 }
    return bytes
  }
}
