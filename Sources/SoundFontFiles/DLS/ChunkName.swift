// SPDX-License-Identifier: Apache-2.0

/// The name of a RIFF chunk or list, four characters.
struct ChunkName: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The characters as a number, the first in the lowest byte.
  let code: UInt32

  init(code: UInt32) { self.code = code }

  init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4, "a chunk's name has four letters")
    code = text.withUTF8Buffer { letters in
      unsafe letters.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  /// The characters; bytes other than printable ASCII are shown as `?`.
  var description: String {
    String(
      String.UnicodeScalarView(
        (0..<4).map { index in
          let byte = UInt8(truncatingIfNeeded: code >> (8 * UInt32(index)))
          return (0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : "?"
        }))
  }
}

/// The header of a RIFF chunk, with positions in the file.
struct RIFFChunk {
  let name: ChunkName
  /// The kind of a `LIST` or `RIFF` chunk; nil for other chunks.
  let kind: ChunkName?
  /// The position of the header.
  let start: Int
  /// The range of the content; for a list, without its kind.
  let content: Range<Int>

  /// The chunk's name, or the kind of a list.
  var label: ChunkName { kind ?? name }

  /// The end of the chunk and its padding.
  var end: Int { content.upperBound + content.count % 2 }
}
