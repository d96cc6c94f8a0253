// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import SoundFontFiles

/// Documents that are read and written without a change.
@Suite struct SoundFontDocumentTests {
  /// The file of a document.
  private func written(_ document: SoundFontDocument) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let writer = try SoundFontWriter(document)
    try writer.write { bytes += $0 }
    #expect(writer.byteCount == bytes.count)
    #expect(try writer.bytes.bytes(0..<bytes.count) == bytes)
    return bytes
  }

  private func expectSame(_ parts: FontParts, _ comment: Comment) throws {
    let document = try SoundFontDocument(FontBytes(parts.bytes))
    #expect(document.repairs.isEmpty, comment)
    #expect(try written(document) == parts.bytes, comment)
  }

  @Test func `a small font is written as it was read`() throws {
    try expectSame(FontParts(), "plain")
    #expect(FontParts().bytes == TinySoundFont.bytes)
  }

  @Test func `unknown chunks, their order and their padding are kept`() throws {
    var parts = FontParts()
    parts.information.insert(FontParts.Chunk("ZZZZ", [1, 2, 3], padding: 9), at: 0)
    parts.information.append(FontParts.Chunk("ICMT", Array("Line".utf8), padding: 0))
    parts.information.append(FontParts.Chunk("ICMT", [0xFF, 0, 7], padding: 0xAA))
    try expectSame(parts, "INFO")
    parts.samples.insert(FontParts.Chunk("abcd", [5], padding: 6), at: 0)
    parts.samples.append(FontParts.Chunk("smpl", [5, 6]))
    try expectSame(parts, "sdta")
    parts.tables.insert(FontParts.Chunk("what", [1, 2]), at: 4)
    parts.tables.append(FontParts.Chunk("shdr", [1, 2, 3], padding: 1))
    parts.tables.swapAt(0, 2)
    try expectSame(parts, "pdta")
    parts.following = [FontParts.Chunk("LIST", Array("more".utf8)), FontParts.Chunk("end ", [1])]
    try expectSame(parts, "after the lists")
    parts.information[0].name = "\u{1}a\u{7F} "
    try expectSame(parts, "a name that is not ASCII letters")
  }

  @Test func `closing records, reserved fields and unknown generators are kept`() throws {
    var parts = FontParts()
    let size = ["phdr": 38, "inst": 22, "shdr": 46, "pgen": 4, "igen": 4, "pmod": 10, "imod": 10]
    for (table, size) in size {
      var content = parts[table]
      // All except the index of the first zone.
      let fixed = ["phdr": [24, 25], "inst": [20, 21]][table] ?? []
      for place in 0..<size where !fixed.contains(place) {
        content[content.count - size + place] = UInt8(100 + place)
      }
      parts[table] = content
    }
    try expectSame(parts, "closing records")
    parts["phdr"][26] = 77
    parts["phdr"][36] = 78
    parts["phdr"][19] = 79
    parts["igen"][0] = 200
    parts["shdr"][41] = 0x80
    try expectSame(parts, "fields")
  }

  @Test func `gaps between samples, the lower bytes and an odd length are kept`() throws {
    var parts = FontParts()
    parts.samples[0].content = (0..<2092).map { UInt8($0 % 251) }
    try expectSame(parts, "a gap that is not silent")
    parts.samples.append(FontParts.Chunk("sm24", (0..<1046).map { UInt8($0 % 249) }))
    try expectSame(parts, "lower bytes in version 2.01")
    parts.information[0].content = [2, 0, 4, 0]
    try expectSame(parts, "lower bytes in version 2.04")
    parts.samples[0].content.removeLast(2)
    parts.samples[1].content[1045] = 33
    try expectSame(parts, "lower bytes with one to fill")
    parts.samples[0].content.removeLast()
    parts.samples[0].padding = 44
    try expectSame(parts, "lower bytes that do not follow the frames")
    parts.samples.removeLast()
    try expectSame(parts, "an odd length")
  }

  @Test func `samples outside of the data, in ROM, or with a loop before them are kept`() throws {
    for (field, value) in [(20, 5000), (24, 9000), (24, -1), (28, -1), (32, -1), (44, 0x8001)] {
      var parts = FontParts()
      for index in 0..<(field == 44 ? 2 : 4) {
        parts["shdr"][field + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
      }
      try expectSame(parts, "byte \(field): \(value)")
    }
    var parts = FontParts()
    parts["shdr"][20] = 200
    parts["shdr"][28] = 3
    try expectSame(parts, "a loop before the sample")
    try expectSame(FontParts(TinySoundFont.compressed([1, 2, 3, 4, 5, 6])), "SF3")
  }

  @Test func `repairs of writing are listed, and made once`() throws {
    let whole = FontParts()
    var fonts: [(sentence: String, bytes: [UInt8])] = []
    var parts = whole
    parts["pgen"].removeLast(4)
    fonts.append(("the table pgen lacks its closing record", parts.bytes))
    parts = whole
    parts["imod"] = []
    fonts.append(("the table imod lacks its closing record", parts.bytes))
    fonts.append(("3 bytes after the font are left out", whole.bytes + [1, 2, 3]))
    parts = whole
    // The first and the last zone of presets without an owner.
    parts["phdr"][24] = 1
    parts["phdr"][3 * 38 + 24] = 2
    for preset in 1...2 { parts["phdr"][38 * preset + 24] = UInt8(min(2, preset)) }
    fonts.append(("2 zones that no preset has are left out", parts.bytes))
    for (sentence, bytes) in fonts {
      let document = try SoundFontDocument(FontBytes(bytes))
      #expect(document.repairs.contains(sentence), "\(document.repairs)")
      let repaired = try written(document)
      let again = try SoundFontDocument(FontBytes(repaired))
      #expect(again.repairs.isEmpty, "\(sentence): \(again.repairs)")
      #expect(try written(again) == repaired, "\(sentence)")
      #expect(again.presets == document.presets)
    }
  }

  @Test func `a list that ends with less than a chunk is repaired`() throws {
    var parts = FontParts()
    parts.information.append(FontParts.Chunk("ICMT", [7], padding: 0))
    var bytes = parts.bytes
    // The length of INFO without its last padding byte.
    let length = Int(bytes[16]) - 1
    bytes[16] = UInt8(length)
    let document = try SoundFontDocument(FontBytes(bytes))
    #expect(document.repairs == ["the size of the list INFO leaves out its last padding byte"])
    #expect(try written(document) == parts.bytes)
  }

  private static let fonts: [String] = {
    let folder = "/usr/share/sounds/sf2"
    let own = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let more = ProcessInfo.processInfo.environment["DOWNBEAT_SOUNDFONTS"] ?? ""
    let paths =
      [own, "\(folder)/FluidR3_GM.sf2", "\(folder)/TimGM6mb.sf2"]
      + more.split(separator: ":").map(String.init)
    return paths.filter { FileManager.default.fileExists(atPath: $0) }
  }()

  @Test(arguments: fonts) func `a whole font is written as it was read`(path: String) throws {
    let data = try FileContent.data(path)
    let bytes = unsafe FontBytes(count: data.count) { target, offset in
      unsafe data.copyBytes(to: target, from: offset..<offset + target.count)
    }
    let document = try SoundFontDocument(bytes)
    #expect(document.repairs.isEmpty)
    var place = 0
    var isSame = true
    var longest = 0
    try SoundFontWriter(document).write { piece in
      longest = max(longest, piece.count)
      isSame = isSame && data[place..<place + piece.count] == Data(piece)
      place += piece.count
    }
    #expect(isSame && place == data.count)
    #expect(longest <= 1 << 20)
  }

  @Test(arguments: UInt64(0)..<200)
  func `random documents are read as they were written`(seed: UInt64) throws {
    let document = RandomDocument(seed: seed).document
    let bytes = try written(document)
    let read = try SoundFontDocument(FontBytes(bytes))
    #expect(read.repairs.isEmpty)
    var expected = document
    let hasLowBytes = try SampleLayout(document).lowBytes != nil
    expected.raiseVersion(hasLowBytes: hasLowBytes)
    #expect(try DocumentListing.lines(read) == DocumentListing.lines(expected))
    #expect(try written(read) == bytes)
  }
}
