// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundFontFiles

/// Documents of damaged fonts are refused, or read with all guarantees.
@Suite struct DamagedDocumentTests {
  private func written(_ document: SoundFontDocument) throws -> [UInt8] {
    let writer = try SoundFontWriter(document)
    return try writer.bytes.bytes(0..<writer.byteCount)
  }

  /// Changes bytes, mostly of the tables, to values that are often wrong.
  private func damaged(_ seed: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = seed
    let tables = bytes.indices.first { bytes[$0...].starts(with: "pdta".utf8) } ?? 0
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let start = Int.random(in: 0...3, using: &random) > 0 ? tables - 12 : 0
      let place = Int.random(in: start..<bytes.count, using: &random)
      bytes[place] =
        [0, 1, 2, 4, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    switch Int.random(in: 0...9, using: &random) {
    case 0: bytes.removeLast(Int.random(in: 1..<60, using: &random))
    case 1: bytes += bytes.suffix(Int.random(in: 1..<60, using: &random))
    default: break
    }
    return bytes
  }

  private func seeds() -> [[UInt8]] {
    var odd = FontParts(TinySoundFont.compressed([1, 2, 3, 4, 5, 6, 7]))
    odd.information.append(FontParts.Chunk("ICMT", [1, 2, 3], padding: 4))
    odd.following = [FontParts.Chunk("rest", [1, 2, 3])]
    var wide = FontParts()
    wide.information[0].content = [2, 0, 4, 0]
    wide.samples.append(FontParts.Chunk("sm24", [UInt8](repeating: 3, count: 1046)))
    return [TinySoundFont.bytes, odd.bytes, wide.bytes]
  }

  @Test func `damaged fonts are refused, or read and written with all guarantees`() throws {
    let seeds = seeds()
    var (read, repaired, refused) = (0, 0, 0)
    for round in 0..<3000 {
      var random = SplitMix(seed: UInt64(round))
      let bytes = damaged(seeds[round % seeds.count], &random)
      let document: SoundFontDocument
      do { document = try SoundFontDocument(FontBytes(bytes)) } catch {
        refused += 1
        continue
      }
      let first = try written(document)
      if document.repairs.isEmpty {
        #expect(first == bytes, "round \(round)")
        read += 1
      } else {
        let again = try SoundFontDocument(FontBytes(first))
        #expect(again.repairs.isEmpty, "round \(round): \(document.repairs), \(again.repairs)")
        #expect(try written(again) == first, "round \(round)")
        repaired += 1
      }
    }
    #expect(read > 1000 && repaired > 50 && refused > 300, "\(read) \(repaired) \(refused)")
  }

  @Test func `damaged fonts are trimmed and merged into fonts that can be read`() throws {
    let seeds = seeds()
    var (kept, refused) = (0, 0)
    for round in 0..<1500 {
      var random = SplitMix(seed: 9000 + UInt64(round))
      let bytes = damaged(seeds[round % seeds.count], &random)
      var document: SoundFontDocument
      do throws(SoundFontError) {
        document = try SoundFontDocument(FontBytes(bytes))
      } catch {
        refused += 1
        continue
      }
      var notes = PlayedNotes()
      notes.insert(bank: 0, program: 0, key: 60, velocity: 100)
      notes.insertAll(bank: 0, program: 1)
      let trimmed = document.trimmed(to: notes)
      if !trimmed.presets.isEmpty {
        let small = try SoundFontDocument(FontBytes(written(trimmed)))
        #expect(small.repairs.isEmpty && small.presets == trimmed.presets)
        #expect(small.instruments == trimmed.instruments)
        kept += 1
      }
      document.append(trimmed, bankOffset: 9)
      document.removeUnused()
      let merged = try SoundFontDocument(FontBytes(written(document)))
      #expect(merged.presets == document.presets)
    }
    #expect(kept > 500 && refused > 0)
  }

  @Test func `information of more than 16 MiB is refused`() {
    var whole = TinySoundFont.bytes
    let (added, end) = (17 << 20, 20 + Int(whole[16]))
    for (place, size) in [(4, whole.count - 8 + 8 + added), (16, end - 20 + 8 + added)] {
      for index in 0..<4 { whole[place + index] = UInt8(size >> (8 * index) & 0xFF) }
    }
    var file = FontSegments()
    file.append(Array(whole[..<end]) + FontParts.head("JUNK", added))
    file.append(zeros: added)
    file.append(Array(whole[end...]))
    #expect(
      throws: SoundFontError.damaged(
        reason: "the list INFO has \(end - 20 + 8 + added) bytes (at most 16777216)")
    ) { try SoundFontDocument(file.bytes) }
  }

  @Test func `more chunks than any font has are refused`() {
    var parts = FontParts()
    parts.information += (0..<5000).map { _ in FontParts.Chunk("JUNK", []) }
    #expect(throws: SoundFontError.self) { try SoundFontDocument(FontBytes(parts.bytes)) }
  }
}
