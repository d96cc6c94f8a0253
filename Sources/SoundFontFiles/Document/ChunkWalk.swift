// SPDX-License-Identifier: Apache-2.0

/// The chunks of a part of a RIFF file, in file order, with their padding.
struct ChunkWalk {
  /// A chunk.
  struct Chunk {
    /// Its name, four bytes.
    let tag: [UInt8]
    /// The range of the chunk in the file, from its header to its padding.
    let whole: Range<Int>
    /// The range of its content, without header and padding.
    let content: Range<Int>
    /// The byte that pads content of odd size; 0 for other chunks.
    let padding: UInt8

    var name: String { String(decoding: tag, as: UTF8.self) }
  }

  private(set) var chunks: [Chunk] = []
  /// A sentence for each difference from the standard.
  private(set) var repairs: [String] = []

  /// The maximum number of chunks in a list.
  private static let limit = 4096

  /// Reads the headers of chunks.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - range: The part of the file that consists of chunks.
  ///   - name: The name of the part in sentences.
  /// - Throws: `SoundFontError` if there are too many chunks, or they cannot be read.
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
