// SPDX-License-Identifier: Apache-2.0

/// Reads the texts of an ID3v2 tag from pieces of any size; pictures and other frames are skipped.
///
/// Memory is limited for tags of any size, because texts are limited to 4 KiB.
///
/// Sources: ID3 2.2.0, 2.3.0 and 2.4.0.
struct ID3Reader: Sendable {
  private static let headerByteCount = 10
  private static let textLimit = 4096

  /// The number of bytes of the tag that have not been appended, including its header.
  private(set) var leftByteCount: Int64
  /// The texts that were found.
  private(set) var tags: [SoundFileMetadata.Tag: String] = [:]

  /// The part of the tag that is read next.
  private enum Step {
    case skip(Int)
    case extendedHeader
    case frameHeader
    case text(ID3Frame)
    case padding
  }

  private let version: UInt8
  private var step: Step
  /// The bytes of an incomplete part.
  private var part: [UInt8] = []
  /// True if a zero after 0xFF is removed; `endsInFF` is true if the last byte was 0xFF.
  private let isUnsynchronised: Bool
  private var endsInFF = false

  /// Reads the header of a tag; nil if the bytes are not a complete header.
  init?(header bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(Self.headerByteCount))
    guard head.count == Self.headerByteCount, head.starts(with: "ID3".utf8) else { return nil }
    let size = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
    leftByteCount = size + (head[5] & 0x10 == 0 ? 10 : 20)
    version = head[3]
    isUnsynchronised = head[5] & 0x80 != 0 && version < 4
    // Version 2.2 used the flag of the extended header for a compression that was never defined.
    let isReadable = (2...4).contains(version) && !(version == 2 && head[5] & 0x40 != 0)
    let next: Step = head[5] & 0x40 != 0 ? .extendedHeader : .frameHeader
    step = isReadable ? next : .padding
    headerLeft = Self.headerByteCount
  }

  /// The number of bytes of the header that have not been appended.
  private var headerLeft: Int

  /// Appends the next bytes of the tag, starting with its header; returns the number of bytes that
  /// belong to it.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = Int(min(leftByteCount, Int64(bytes.count)))
    leftByteCount -= Int64(count)
    let head = min(headerLeft, count)
    headerLeft -= head
    let content = bytes.prefix(count).dropFirst(head)
    if case .padding = step { return count }
    consume(isUnsynchronised ? synchronised(content)[...] : content)
    return count
  }

  /// Removes the zeros of unsynchronisation, which prevent decoders from reading the tag as sound.
  private mutating func synchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    for byte in bytes {
      if !(endsInFF && byte == 0) { kept.append(byte) }
      endsInFF = byte == 0xFF
    }
    return kept
  }

  private mutating func consume(_ bytes: ArraySlice<UInt8>) {
    var bytes = bytes
    while !bytes.isEmpty {
      switch step {
      case .skip(let count):
        let here = min(count, bytes.count)
        bytes = bytes.dropFirst(here)
        step = here < count ? .skip(count - here) : .frameHeader
      case .extendedHeader:
        if let head = take(4, &bytes) { readExtendedHeader(head) }
      case .frameHeader:
        guard bytes.first != 0 || !part.isEmpty else {
          step = .padding
          return
        }
        if let head = take(version == 2 ? 6 : 10, &bytes) { readFrameHeader(head) }
      case .text(let frame):
        guard let content = take(frame.byteCount, &bytes) else { return }
        if let text = frame.text(content) { tags[frame.tag] = text }
        step = .frameHeader
      case .padding: return
      }
    }
  }

  /// Returns the next `count` bytes, or nil if more bytes are needed.
  private mutating func take(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
    let more = bytes.prefix(count - part.count)
    part += more
    bytes = bytes.dropFirst(more.count)
    guard part.count == count else { return nil }
    defer { part.removeAll() }
    return part
  }

  private mutating func readExtendedHeader(_ head: [UInt8]) {
    let size = ID3Frame.number(head[0..<4], isSafe: version == 4)
    // Version 2.4 includes the four bytes of the size.
    step = .skip(version == 4 ? max(0, size - 4) : size)
  }

  private mutating func readFrameHeader(_ head: [UInt8]) {
    let size = ID3Frame.byteCount(head, version: version)
    guard size > 0 else { return }
    let frame = ID3Frame(head, version: version)
    if let frame, size <= Self.textLimit {
      step = .text(frame)
    } else {
      step = .skip(size)
    }
  }
}
