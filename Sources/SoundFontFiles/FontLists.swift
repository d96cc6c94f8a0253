// SPDX-License-Identifier: Apache-2.0

/// The positions of the parts of a soundfont in its file.
struct FontLists {
  /// The chunks with texts.
  let information: [String: Range<Int>]
  /// The sample data.
  let samples: Range<Int>
  /// The lower bytes of 24-bit samples, one per frame; nil if they are missing, or their number is
  /// wrong.
  let sampleLowBytes: Range<Int>?
  /// The nine tables.
  let tables: [String: Range<Int>]
  /// The position of the list of the tables.
  let tablesStart: Int
  /// True if the file ends with the font.
  let isWhole: Bool

  init(_ bytes: FontBytes) throws(SoundFontError) {
    guard bytes.count > 0 else { throw .notSoundFont(reason: "the file is empty") }
    guard let head = try bytes.chunk(at: 0), head.name == "RIFF", head.kind == "sfbk" else {
      throw .notSoundFont(reason: "it does not start with RIFF and sfbk")
    }
    // Some writers omit the padding of the last chunk.
    guard head.content.upperBound <= bytes.count else {
      throw .truncated(byteCount: bytes.count, expected: head.content.upperBound)
    }
    var place = 12
    var start = 0
    var lists: [String: [String: Range<Int>]] = [:]
    for kind in ["INFO", "sdta", "pdta"] {
      guard let list = try bytes.chunk(at: place), list.name == "LIST", list.kind == kind else {
        throw .damaged(reason: "the list \(kind) was expected at byte \(place)")
      }
      guard list.content.upperBound <= head.content.upperBound else {
        throw .damaged(reason: "the list \(kind) runs past the end of the file")
      }
      lists[kind] = try Self.chunks(bytes, of: list, named: kind)
      start = place
      place = list.end
    }
    information = lists["INFO"] ?? [:]
    tables = lists["pdta"] ?? [:]
    tablesStart = start
    isWhole = head.content.upperBound == bytes.count
    guard let samples = lists["sdta"]?["smpl"] else {
      throw .damaged(reason: "sample data is missing")
    }
    self.samples = samples
    // The size is rounded up to an even number, and the chunk must directly follow the samples.
    sampleLowBytes = lists["sdta"]?["sm24"].flatMap { bytes in
      let frameCount = samples.count / 2
      let isWhole = bytes.count == frameCount + frameCount % 2
      return isWhole && bytes.lowerBound == samples.upperBound + 8 ? bytes : nil
    }
  }

  private static func chunks(
    _ bytes: FontBytes, of list: FontChunk, named kind: String
  ) throws(SoundFontError) -> [String: Range<Int>] {
    var found: [String: Range<Int>] = [:]
    var place = list.content.lowerBound + 4
    while place + 8 <= list.content.upperBound, let chunk = try bytes.chunk(at: place) {
      guard chunk.content.upperBound <= list.content.upperBound else {
        throw .damaged(reason: "the chunk at byte \(place) runs past its list \(kind)")
      }
      if found[chunk.name] == nil { found[chunk.name] = chunk.content }
      place = chunk.end
    }
    return found
  }
}
