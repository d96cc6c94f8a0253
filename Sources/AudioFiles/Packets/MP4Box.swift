// SPDX-License-Identifier: Apache-2.0

/// A box of an MP4 file, in memory.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct MP4Box {
  /// The name: four characters, each of one byte.
  let name: String
  let content: ArraySlice<UInt8>

  /// Reads consecutive boxes, up to the first incomplete one.
  static func all(in bytes: ArraySlice<UInt8>) -> [MP4Box] {
    var boxes: [MP4Box] = []
    var rest = bytes
    while let (box, end) = first(in: rest), boxes.count < countLimit {
      boxes.append(box)
      rest = rest[end...]
    }
    return boxes
  }

  /// The maximum number of boxes in a box.
  private static let countLimit = 10_000

  private static func first(in bytes: ArraySlice<UInt8>) -> (MP4Box, end: Int)? {
    let start = bytes.startIndex
    guard var size = bytes.number(0, 4) else { return nil }
    var head = 8
    if size == 1 {
      guard let long = bytes.number(8, 8) else { return nil }
      (size, head) = (long, 16)
    } else if size == 0 {
      size = bytes.count
    }
    guard size >= head, size <= bytes.count else { return nil }
    let box = MP4Box(
      name: latin(bytes[start + 4..<start + 8]), content: bytes[start + head..<start + size])
    return (box, start + size)
  }

  /// The bytes of a box.
  static func bytes(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(clamping: content.count + 8)
    let head = (0..<4).map { UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * $0)) }
    return head + name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
  }

  /// Decodes a name as ISO 8859-1, in which `©` is one byte.
  static func latin(_ bytes: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The first box with a name in the content of this one.
  func child(_ name: String) -> MP4Box? {
    Self.all(in: content).first { $0.name == name }
  }

  /// The box at a path of names.
  func child(_ path: String...) -> MP4Box? {
    var box: MP4Box? = self
    for name in path { box = box?.child(name) }
    return box
  }

  /// The same box without the first bytes of its content.
  func dropping(_ count: Int) -> MP4Box {
    MP4Box(name: name, content: content.dropFirst(count))
  }
}

extension ArraySlice<UInt8> {
  /// A big-endian number at a position relative to the start of the slice; nil if it exceeds the
  /// slice or `Int`.
  func number(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place <= self.count - count else { return nil }
    let bytes = self[startIndex + place..<startIndex + place + count]
    return Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Big-endian numbers of four bytes at a position relative to the start of the slice; nil if they
  /// exceed the slice.
  func words(_ place: Int, _ count: Int) -> [UInt32]? {
    guard place >= 0, place <= self.count, count <= (self.count - place) / 4 else { return nil }
    return unsafe withUnsafeBytes { bytes in
      (0..<count).map {
        let offset = place + 4 * $0
        return UInt32(
          bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
    }
  }

  /// A signed big-endian number of 4 or 8 bytes; nil if it exceeds the slice.
  func signed(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place <= self.count - count else { return nil }
    let bits = self[startIndex + place..<startIndex + place + count]
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return count == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(bitPattern: bits))
  }
}
