// SPDX-License-Identifier: Apache-2.0

/// A soundfont's bytes, wherever they lie; a font of 300 MB need not be in memory to be checked.
public struct FontBytes: Sendable {
  /// The number of bytes.
  public let count: Int
  private let source: @Sendable (Range<Int>) throws(SoundFontError) -> [UInt8]

  /// Creates access to bytes.
  ///
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - source: gives exactly the bytes of a range within `0..<count`.
  public init(
    count: Int, source: @escaping @Sendable (Range<Int>) throws(SoundFontError) -> [UInt8]
  ) {
    self.count = count
    self.source = source
  }

  /// Creates access to bytes in memory.
  public init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { (range) throws(SoundFontError) in Array(bytes[range]) }
  }

  /// The bytes of a range, as many as there are of it.
  func bytes(_ range: Range<Int>) throws(SoundFontError) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    let bytes = range.isEmpty ? [] : try source(range)
    guard bytes.count == range.count else {
      throw .unreadable(reason: "the file was truncated while it was read")
    }
    return bytes
  }

  /// The chunk whose head begins at a byte, or nil where there is no room for one.
  func chunk(at offset: Int) throws(SoundFontError) -> FontChunk? {
    let head = try bytes(offset..<offset + 12)
    guard head.count >= 8 else { return nil }
    let table = FontTable(head, recordSize: 1)
    return FontChunk(
      name: String(decoding: head[0..<4], as: UTF8.self),
      kind: String(decoding: head[8...], as: UTF8.self),
      content: offset + 8..<offset + 8 + table.long(4))
  }
}

/// The head of a RIFF chunk.
struct FontChunk {
  let name: String
  /// The first four bytes of the content: what kind of list it is.
  let kind: String
  /// Where the content lies.
  let content: Range<Int>

  /// The first byte after it and its padding.
  var end: Int { content.upperBound + content.count % 2 }
}

/// A table of records of one size, little-endian.
package struct FontTable: Sendable {
  package let bytes: [UInt8]
  let recordSize: Int

  init(_ bytes: [UInt8], recordSize: Int) {
    self.bytes = bytes
    self.recordSize = recordSize
  }

  /// The records, the closing one included.
  package var count: Int { bytes.count / recordSize }

  /// The bytes of some records.
  func records(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[range.lowerBound * recordSize..<range.upperBound * recordSize]
  }

  /// The table with the closing record that it lacks if bags lead to its very end, or it is empty.
  ///
  /// - Parameters:
  ///   - bags: the zones that lead to its records.
  ///   - field: the byte of a bag that holds the number of a record.
  /// - Returns: the table, or one that is a record longer.
  func closed(after bags: FontTable, field: Int) -> FontTable {
    let end = bags.count > 0 ? bags.word(bags.count - 1, at: field) : 0
    guard count == 0 || end == count else { return self }
    return FontTable(
      bytes + [UInt8](repeating: 0, count: recordSize), recordSize: recordSize)
  }

  /// The closing record.
  var last: ArraySlice<UInt8> { records(count - 1..<count) }

  package func byte(_ offset: Int) -> Int { Int(bytes[offset]) }

  func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }

  func long(_ offset: Int) -> Int { word(offset) | word(offset + 2) << 16 }

  /// A field of a record.
  package func word(_ record: Int, at offset: Int) -> Int { word(record * recordSize + offset) }

  /// A field of a record.
  package func long(_ record: Int, at offset: Int) -> Int { long(record * recordSize + offset) }

  /// The name a record begins with: at most 20 bytes, ended by a zero.
  func name(_ record: Int) -> String { Self.text(bytes[(record * recordSize)...].prefix(20)) }

  /// Text as fonts hold it, without its padding; what is not UTF-8 is taken as Latin-1.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let bytes = bytes.prefix { $0 != 0 }
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let visible = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    var shown = String(String.UnicodeScalarView(visible))
    while shown.hasSuffix(" ") { shown.removeLast() }
    return shown
  }
}
