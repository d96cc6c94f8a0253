// SPDX-License-Identifier: Apache-2.0

/// Reads chunks and numbers of a RIFF file through a window of 4 KiB.
///
/// Memory is limited for any stated chunk size. Numbers are little-endian.
struct ChunkWindow {
  private static let size = 4096
  private let source: FontBytes
  private var start = 0
  private var held: [UInt8] = []

  /// The number of bytes in the file.
  var count: Int { source.count }

  init(_ source: FontBytes) { self.source = source }

  /// The bytes of a short range; fewer at the end of the file.
  ///
  /// - Throws: `SoundFontError.unreadable`.
  mutating func bytes(_ range: Range<Int>) throws(SoundFontError) -> ArraySlice<UInt8> {
    let range = range.clamped(to: 0..<count)
    try load(range)
    return held[range.lowerBound - start..<range.upperBound - start]
  }

  private mutating func load(_ range: Range<Int>) throws(SoundFontError) {
    guard range.lowerBound < start || range.upperBound > start + held.count else { return }
    held = try source.bytes(
      range.lowerBound..<max(range.upperBound, range.lowerBound + Self.size))
    start = range.lowerBound
  }

  /// A number of one to four bytes, or nil after the end of the file.
  mutating func number(at place: Int, size: Int) throws(SoundFontError) -> Int? {
    guard place >= 0, place + size <= count else { return nil }
    try load(place..<place + size)
    var number = 0
    for index in 0..<size { number |= Int(held[place - start + index]) << (8 * index) }
    return number
  }

  /// The header of the chunk at a position, or nil at the end of the file.
  ///
  /// The content can exceed the file. A common font has chunks 'crs1' of 28 bytes that state other
  /// sizes.
  mutating func chunk(at place: Int) throws(SoundFontError) -> RIFFChunk? {
    guard let code = try number(at: place, size: 4),
      let size = try number(at: place + 4, size: 4)
    else { return nil }
    let name = ChunkName(code: UInt32(truncatingIfNeeded: code))
    let content = place + 8..<place + 8 + (name == "crs1" ? 28 : size)
    guard name == "LIST" || name == "RIFF", size >= 4,
      let kind = try number(at: place + 8, size: 4)
    else { return RIFFChunk(name: name, kind: nil, start: place, content: content) }
    return RIFFChunk(
      name: name, kind: ChunkName(code: UInt32(truncatingIfNeeded: kind)), start: place,
      content: place + 12..<content.upperBound)
  }

  /// The chunk at a position in a list, or nil at the end of the list.
  ///
  /// - Throws: `SoundFontError.damaged` if the chunk exceeds the list.
  mutating func chunk(
    at place: Int, in list: RIFFChunk
  ) throws(SoundFontError) -> RIFFChunk? {
    guard place + 8 <= list.content.upperBound, let chunk = try chunk(at: place) else {
      return nil
    }
    guard chunk.content.upperBound <= list.content.upperBound else {
      throw .damaged(
        reason: "the chunk '\(chunk.label)' at byte \(place) runs past its list '\(list.label)'")
    }
    return chunk
  }
}
