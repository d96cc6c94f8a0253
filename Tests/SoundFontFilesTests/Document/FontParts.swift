// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A font as chunks, to create unusual files: additional chunks, odd sizes, other records.
struct FontParts {
  /// A chunk: its name, content, and the byte that pads it.
  struct Chunk {
    var name: String
    var content: [UInt8]
    var padding: UInt8 = 0

    init(_ name: String, _ content: [UInt8], padding: UInt8 = 0) {
      (self.name, self.content, self.padding) = (name, content, padding)
    }

    /// The chunk in a file.
    var bytes: [UInt8] {
      FontParts.head(name, content.count) + content
        + (content.count % 2 == 1 ? [padding] : [])
    }
  }

  var information: [Chunk]
  var samples: [Chunk]
  var tables: [Chunk]
  /// Chunks after the three lists.
  var following: [Chunk] = []

  /// The chunks of `TinySoundFont`.
  init() { self.init(TinySoundFont.bytes) }

  /// The chunks of a well-formed font.
  init(_ file: [UInt8]) {
    var lists: [[Chunk]] = []
    var place = 12
    for _ in 0..<3 {
      let end = place + 8 + Self.long(file, place + 4)
      lists.append(Self.chunks(file, place + 12..<end))
      place = end
    }
    (information, samples, tables) = (lists[0], lists[1], lists[2])
  }

  private static func chunks(_ file: [UInt8], _ range: Range<Int>) -> [Chunk] {
    var chunks: [Chunk] = []
    var place = range.lowerBound
    while place < range.upperBound {
      let end = place + 8 + long(file, place + 4)
      chunks.append(
        Chunk(
          String(decoding: file[place..<place + 4], as: UTF8.self), Array(file[place + 8..<end])))
      place = end + end % 2
    }
    return chunks
  }

  private static func long(_ bytes: [UInt8], _ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// The name and size of a chunk.
  static func head(_ name: String, _ count: Int) -> [UInt8] {
    Array(name.utf8) + (0..<4).map { UInt8(count >> (8 * $0) & 0xFF) }
  }

  /// The content of a table.
  subscript(table: String) -> [UInt8] {
    get { tables.first { $0.name == table }?.content ?? [] }
    set {
      for index in tables.indices where tables[index].name == table {
        tables[index].content = newValue
      }
    }
  }

  /// The file.
  var bytes: [UInt8] {
    var content = Array("sfbk".utf8)
    for (kind, chunks) in [("INFO", information), ("sdta", samples), ("pdta", tables)] {
      content += Chunk("LIST", Array(kind.utf8) + chunks.flatMap(\.bytes)).bytes
    }
    content += following.flatMap(\.bytes)
    return Self.head("RIFF", content.count) + content
  }
}
