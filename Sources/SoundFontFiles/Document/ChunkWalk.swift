// SPDX-License-Identifier: Apache-2.0

/// The chunks of a part of a RIFF file, in file order, with their padding.
struct ChunkWalk {
  /// A chunk.
  struct Chunk {
    /// The four bytes of its name.
    let tag: [UInt8]
    /// Its bytes in the file, from its head to its padding.
    let whole: Range<Int>
    /// Its content, without head and padding.
    let content: Range<Int>
    /// The byte that pads a content of odd length; 0 for others.
    let padding: UInt8

    var name: String { String(decoding: tag, as: UTF8.self) }
  }

  private(set) var chunks: [Chunk] = []
  /// A sentence for each difference from the standard.
  private(set) var repairs: [String] = []

  /// The most chunks of a list.
  private static let limit = 4096

  /// Reads the heads of chunks.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - range: the part of the file that has chunks only.
  ///   - name: the part's name in sentences.
  /// - Throws: `SoundFontError` if there are too many, or they cannot be read.
  init(_ bytes: FontBytes, _ range: Range<Int>, named name: String) throws(SoundFontError) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let tag = try bytes.bytes(place..<place + 4)
      guard let head = try bytes.chunk(at: place), head.content.upperBound <= range.upperBound
      else { break }
      guard chunks.count < Self.limit else {
        throw .damaged(reason: "\(name) has more than \(Self.limit) chunks")
      }
      let end = min(head.end, range.upperBound)
      let padding = try bytes.bytes(head.content.upperBound..<end).first
      chunks.append(
        Chunk(tag: tag, whole: place..<end, content: head.content, padding: padding ?? 0))
      place = head.end
    }
    if place > range.upperBound {
      repairs.append("the size of \(name) leaves out its last padding byte")
    } else if place < range.upperBound {
      repairs.append("\(name) ends with \(range.upperBound - place) bytes that are not a chunk")
    }
  }
}
