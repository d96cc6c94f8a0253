// SPDX-License-Identifier: Apache-2.0

/// Little-endian bytes and RIFF chunks.
struct ByteBuffer {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: UInt8) { bytes.append(value) }

  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(_ value: Int16) { append(UInt16(bitPattern: value)) }

  mutating func append(_ value: UInt32) {
    append(UInt16(truncatingIfNeeded: value))
    append(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// A name in a field of 20 bytes, ended by a zero.
  mutating func append(name: String) {
    let ascii = Array(name.utf8.prefix(19))
    bytes += ascii + [UInt8](repeating: 0, count: 20 - ascii.count)
  }

  mutating func append(chunk: String, _ content: [UInt8]) {
    bytes += Array(chunk.utf8)
    append(UInt32(content.count))
    bytes += content
    if content.count % 2 == 1 { bytes.append(0) }
  }

  /// A text chunk, ended by a zero and padded to an even length.
  mutating func append(text: String, _ content: String) {
    var ascii = Array(content.utf8) + [0]
    if ascii.count % 2 == 1 { ascii.append(0) }
    append(chunk: text, ascii)
  }

  mutating func append(list: String, _ content: [UInt8]) {
    append(chunk: "LIST", Array(list.utf8) + content)
  }
}
