// SPDX-License-Identifier: Apache-2.0

/// The bytes of a soundfont, in a file, in a part of a file, or in memory.
///
/// Bytes are read only when they are needed, so a font of 300 MB does not have to be in memory.
@safe
public struct FontBytes: Sendable {
  /// A function that copies bytes at an offset to memory, and returns the number of bytes copied.
  ///
  /// The function can be called on any thread. The requested range is always within the bytes. The
  /// function may copy fewer bytes than requested only if they cannot be read.
  public typealias Reading = @Sendable (UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// The number of bytes.
  public let count: Int
  private let reading: Reading

  /// Creates access to bytes that a function reads.
  ///
  /// - Parameters:
  ///   - count: The number of bytes, at least 0.
  ///   - reading: The function that reads bytes.
  public init(count: Int, reading: @escaping Reading) {
    self.count = count
    unsafe self.reading = reading
  }

  /// Creates access to bytes in memory.
  public init(_ bytes: [UInt8]) {
    unsafe self.init(count: bytes.count) { target, offset in
      unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
      return target.count
    }
  }

  /// Returns access to a part of the bytes, with offsets relative to the part.
  ///
  /// - Parameter range: The range of the part, limited to the existing bytes.
  /// - Returns: The part.
  public func part(_ range: Range<Int>) -> FontBytes {
    let range = range.clamped(to: 0..<count)
    let reading = unsafe reading
    return unsafe FontBytes(count: range.count) { target, offset in
      unsafe reading(target, range.lowerBound + offset)
    }
  }

  /// Reads bytes into memory.
  ///
  /// - Parameters:
  ///   - target: The memory.
  ///   - offset: The offset of the first byte.
  /// - Returns: The number of bytes read; fewer than requested at the end, or if the file cannot be
  ///   read.
  @discardableResult
  public func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset >= 0, offset < count else { return 0 }
    let length = min(target.count, count - offset)
    return unsafe length > 0
      ? reading(UnsafeMutableRawBufferPointer(rebasing: target[..<length]), offset) : 0
  }

  /// Returns the bytes of a range, without those beyond the end.
  ///
  /// - Throws: `SoundFontError.unreadable` if they cannot be read.
  package func bytes(_ range: Range<Int>) throws(SoundFontError) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, done in
      let target = unsafe UnsafeMutableRawBufferPointer(
        start: buffer.baseAddress, count: range.count)
      done = unsafe read(into: target, at: range.lowerBound)
    }
    guard bytes.count == range.count else {
      throw .unreadable(reason: "the file was truncated while it was read")
    }
    return bytes
  }

  /// The chunk at an offset, or nil at the end.
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

/// The header of a RIFF chunk.
struct FontChunk {
  let name: String
  /// The first four bytes of the content, which are the kind of a list.
  let kind: String
  /// The range of the content.
  let content: Range<Int>

  /// The end of the chunk and its padding.
  var end: Int { content.upperBound + content.count % 2 }
}

/// A table of records of equal size, little-endian.
package struct FontTable: Sendable {
  package let bytes: [UInt8]
  let recordSize: Int

  init(_ bytes: [UInt8], recordSize: Int) {
    self.bytes = bytes
    self.recordSize = recordSize
  }

  /// The number of records, including the closing one.
  package var count: Int { bytes.count / recordSize }

  /// The bytes of a range of records.
  func records(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[range.lowerBound * recordSize..<range.upperBound * recordSize]
  }

  /// Adds the closing record, if it is missing: if zones refer to the end of the table, or it is
  /// empty.
  ///
  /// - Parameters:
  ///   - bags: The zones that refer to its records.
  ///   - field: The position of the record's index in a bag.
  /// - Returns: The table, or one with another record.
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

  /// A 16-bit field of a record.
  package func word(_ record: Int, at offset: Int) -> Int { word(record * recordSize + offset) }

  /// A 32-bit field of a record.
  package func long(_ record: Int, at offset: Int) -> Int { long(record * recordSize + offset) }

  /// The name with which a record starts: at most 20 bytes, up to a zero.
  func name(_ record: Int) -> String { Self.text(bytes[(record * recordSize)...].prefix(20)) }

  /// A text without its padding; Latin-1 if it is not UTF-8.
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
