// SPDX-License-Identifier: Apache-2.0

/// The chunks of a Core Audio Format file: their names and positions.
///
/// Source: Apple, Core Audio Format Specification 1.0, "CAF File Header and Chunk Headers".
struct CAFChunks {
  /// A chunk.
  struct Chunk: Hashable {
    /// A name of four characters, such as `desc`.
    let name: String
    /// The position of its content in the file, in bytes.
    let offset: Int64
    /// The number of bytes of its content in the file.
    let byteCount: Int64
    /// The number of bytes that its header states; nil for sound that extends to the end of the
    /// file.
    let statedByteCount: Int64?
  }

  /// The chunks in the order of the file, at most 10,000.
  let chunks: [Chunk]
  private let stream: FileStream

  static let headByteCount: Int64 = 12
  private static let countLimit = 10_000
  /// The maximum size of a chunk that is read into memory.
  private static let byteLimit: Int64 = 1 << 24

  /// Finds the chunks; nil if the file does not begin as a CAF file.
  ///
  /// - Complexity: O(n) in the number of chunks.
  init?(of stream: FileStream) {
    guard let head = stream.bytes(at: 0, 8), MP4Box.latin(head[..<4]) == "caff" else { return nil }
    self.stream = stream
    var (chunks, place, length) = ([Chunk](), Int64(8), stream.length)
    while chunks.count < Self.countLimit, place <= length - Self.headByteCount {
      guard let chunk = Self.chunk(at: place, in: stream, length) else { break }
      chunks.append(chunk)
      // A truncated chunk is the last one: its content ends with the file.
      place = chunk.offset + chunk.byteCount
      if chunk.statedByteCount != chunk.byteCount { length = place }
    }
    self.chunks = chunks
  }

  private static func chunk(at place: Int64, in stream: FileStream, _ length: Int64) -> Chunk? {
    guard let head = stream.bytes(at: place, Int(headByteCount)),
      let stated = head[...].signed(4, 8).map(Int64.init)
    else { return nil }
    let (name, offset) = (MP4Box.latin(head[..<4]), place + headByteCount)
    let left = length - offset
    guard stated >= 0 else {
      // Sound of unknown length extends to the end.
      guard stated == -1, name == "data" else { return nil }
      return Chunk(name: name, offset: offset, byteCount: left, statedByteCount: nil)
    }
    return Chunk(
      name: name, offset: offset, byteCount: min(stated, left), statedByteCount: stated)
  }

  /// The first chunk with a name.
  subscript(_ name: String) -> Chunk? { chunks.first { $0.name == name } }

  /// The content of the first chunk with a name; empty if it is missing, or larger than 16 MiB.
  func content(_ name: String) -> ArraySlice<UInt8> {
    self[name].map(content) ?? []
  }

  /// The content of a chunk; empty if it is larger than 16 MiB.
  func content(_ chunk: Chunk) -> ArraySlice<UInt8> {
    guard chunk.byteCount <= Self.byteLimit else { return [] }
    return stream.bytes(at: chunk.offset, Int(chunk.byteCount))?[...] ?? []
  }
}
