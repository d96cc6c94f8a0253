// SPDX-License-Identifier: Apache-2.0

/// The four letters of a RIFF chunk or list.
struct ChunkName: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The letters as a number, the first in the lowest byte.
  let code: UInt32

  init(code: UInt32) { self.code = code }

  init(stringLiteral text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4, "a chunk's name has four letters")
    code = text.withUTF8Buffer { letters in
      unsafe letters.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  /// The letters; bytes that are not printable ASCII are shown as `?`.
  var description: String {
    String(
      String.UnicodeScalarView(
        (0..<4).map { index in
          let byte = UInt8(truncatingIfNeeded: code >> (8 * UInt32(index)))
          return (0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : "?"
        }))
  }
}

/// The head of a RIFF chunk, in bytes of the file.
struct RIFFChunk {
  let name: ChunkName
  /// The kind of a `LIST` or `RIFF` chunk; nil for other chunks.
  let kind: ChunkName?
  /// The first byte of the head.
  let start: Int
  /// The content, for a list without its kind.
  let content: Range<Int>

  /// The chunk's name, or the kind of a list.
  var label: ChunkName { kind ?? name }

  /// The first byte after the chunk and its padding.
  var end: Int { content.upperBound + content.count % 2 }
}
