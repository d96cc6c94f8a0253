// SPDX-License-Identifier: Apache-2.0

/// Reads the chunks before the samples of a container from pieces of any size.
///
/// Chunks that are not needed are skipped without being stored.
struct PCMHead: Sendable {
  /// The samples after the header.
  struct Sound {
    let container: PCMContainer
    let format: PCMFormat
    /// The number of bytes of the samples; nil if the container does not state it.
    let byteCount: Int64?
    /// The number of bytes before the samples that have not been received and must be skipped.
    let skippedByteCount: Int
  }

  /// The state after reading.
  enum Progress {
    case needsMore
    /// The samples follow.
    case sound(Sound)
    /// The container is not supported, or its samples are compressed.
    case unsuitable
  }

  private enum Step {
    case done(Progress)
    case next
  }

  /// A chunk, without its header.
  private struct Chunk {
    let name: String
    let headerByteCount: Int
    /// The number of bytes of its content; negative if it is unknown.
    let size: Int
    /// The number of bytes up to the next chunk.
    let step: Int
  }

  /// The number of bytes of a chunk that are examined.
  private static let lookahead = 64
  private static let textLimit = 1 << 16

  private var container: PCMContainer?
  private var format: PCMFormat?
  /// The size of the whole file as its first bytes state it; nil if it is unknown.
  private var fileByteCount: Int64?
  /// The size of the samples in a chunk `ds64`.
  private var longByteCount: Int?
  /// The number of bytes that were read.
  private var place: Int64 = 0
  /// The tags before the samples.
  private(set) var tags: [SoundFileMetadata.Tag: String] = [:]

  /// Reads all chunks that are available.
  mutating func read(_ window: inout ByteWindow) -> Progress {
    while true {
      if case .done(let progress) = step(&window) { return progress }
    }
  }

  private mutating func step(_ window: inout ByteWindow) -> Step {
    guard let container else { return begin(&window) }
    if container.headByteCount == 0 { return .done(readHeader(window.unread, container)) }
    guard let chunk = chunk(window.unread, container) else {
      return .done(window.count < Self.lookahead ? .needsMore : .unsuitable)
    }
    let content = window.unread.dropFirst(chunk.headerByteCount)
    if Self.dataNames.contains(chunk.name) { return .done(samples(chunk, content, container)) }
    guard let isRead = read(chunk, content, container) else { return .done(.needsMore) }
    guard isRead else { return .done(.unsuitable) }
    window.drop(Int64(chunk.step))
    place = place.addingReportingOverflow(Int64(chunk.step)).partialValue
    return .next
  }

  private static let dataNames: Set<String> = ["data", "SSND"]

  private mutating func begin(_ window: inout ByteWindow) -> Step {
    switch PCMContainer.search(at: window.unread) {
    case .nothing: return .done(.unsuitable)
    case .incomplete: return .done(.needsMore)
    case .found(let found):
      guard window.count >= found.headByteCount else { return .done(.needsMore) }
      container = found
      fileByteCount = Self.fileByteCount(window.unread, found)
      window.drop(found.headByteCount)
      place = Int64(found.headByteCount)
      return .next
    }
  }

  /// The size of the whole file as its first bytes state it; nil if they do not.
  private static func fileByteCount(
    _ bytes: ArraySlice<UInt8>, _ container: PCMContainer
  ) -> Int64? {
    switch container {
    case .wave64: bytes.number(16, 8, isLittleEndian: true).flatMap { known($0) }
    case .wave, .waveBig, .aiff:
      bytes.number(4, 4, isLittleEndian: container.isLittleEndian)
        .flatMap { known($0) }.map { $0 + 8 }
    case .caf, .au, .auLittle: nil
    }
  }

  /// The stated size; nil for the placeholders of programs that do not know it: about 2 and 4 GiB,
  /// or 0.
  private static func known(_ size: Int) -> Int64? {
    let isUnknown =
      size <= 0 || size >= 1 << 62 || (0x7FFF_0000...0x8000_0000).contains(size)
      || (0xFFFF_0000...0xFFFF_FFFF).contains(size)
    return isUnknown ? nil : Int64(size)
  }

  /// The chunk that starts here; nil if its header is incomplete or damaged.
  private func chunk(_ bytes: ArraySlice<UInt8>, _ container: PCMContainer) -> Chunk? {
    guard bytes.count >= 4 else { return nil }
    let name = MP4Box.latin(bytes.prefix(4))
    switch container {
    case .wave64:
      guard let size = bytes.number(16, 8, isLittleEndian: true), size >= 24 else { return nil }
      let step = size > 1 << 62 ? size : (size + 7) / 8 * 8
      return Chunk(name: name, headerByteCount: 24, size: size - 24, step: step)
    case .caf:
      guard let size = bytes.signed(4, 8), size >= 0 || name == "data", size < 1 << 62 else {
        return nil
      }
      return Chunk(name: name, headerByteCount: 12, size: size, step: 12 + size)
    default:
      guard let size = bytes.number(4, 4, isLittleEndian: container.isLittleEndian) else {
        return nil
      }
      return Chunk(name: name, headerByteCount: 8, size: size, step: 8 + size + size % 2)
    }
  }
}

extension PCMHead {
  /// Reads a chunk if it is needed; returns nil if more bytes are needed, and false if it is not
  /// supported.
  private mutating func read(
    _ chunk: Chunk, _ content: ArraySlice<UInt8>, _ container: PCMContainer
  ) -> Bool? {
    let wanted: Int
    switch chunk.name {
    case "fmt ", "COMM", "desc": wanted = min(chunk.size, Self.lookahead)
    case "ds64": wanted = min(chunk.size, 28)
    case "LIST" where chunk.size <= Self.textLimit, "NAME" where chunk.size <= Self.textLimit,
      "AUTH" where chunk.size <= Self.textLimit:
      wanted = chunk.size
    default: return true
    }
    guard content.count >= wanted else { return nil }
    let content = content.prefix(min(chunk.size, content.count))
    switch chunk.name {
    case "LIST": readTexts(content)
    case "NAME": note(.title, content)
    case "AUTH": note(.artist, content)
    case "ds64": longByteCount = content.number(8, 8, isLittleEndian: true) ?? 0
    default:
      format = format(content, container)
      return format != nil
    }
    return true
  }

  private func format(_ content: ArraySlice<UInt8>, _ container: PCMContainer) -> PCMFormat? {
    switch container {
    case .wave, .waveBig, .wave64:
      PCMFormat(wave: content, isLittleEndian: container.isLittleEndian)
    case .aiff: PCMFormat(aiff: content)
    case .caf: PCMFormat(caf: content)
    case .au, .auLittle: nil
    }
  }

  /// Reads the texts of a list `INFO`.
  private mutating func readTexts(_ content: ArraySlice<UInt8>) {
    guard content.starts(with: "INFO".utf8) else { return }
    var rest = content.dropFirst(4)
    while let size = rest.number(4, 4, isLittleEndian: true), size <= rest.count - 8 {
      if let tag = Self.names[MP4Box.latin(rest.prefix(4))] {
        note(tag, rest.dropFirst(8).prefix(size))
      }
      rest = rest.dropFirst(8 + size + size % 2)
    }
  }

  private static let names: [String: SoundFileMetadata.Tag] = [
    "INAM": .title, "IART": .artist, "IPRD": .album, "ITRK": .trackNumber, "IGNR": .genre,
    "ICRD": .date, "ICMT": .comment, "ICOP": .copyright, "ISFT": .software,
  ]

  private mutating func note(_ tag: SoundFileMetadata.Tag, _ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(4096), as: UTF8.self)
    if !text.isEmpty { tags[tag] = text }
  }

  /// The samples of a chunk.
  private func samples(
    _ chunk: Chunk, _ content: ArraySlice<UInt8>, _ container: PCMContainer
  ) -> Progress {
    guard let format else { return .unsuitable }
    var (skipped, head) = (chunk.headerByteCount, 0)
    if container == .caf { head = 4 }
    if container == .aiff {
      guard let offset = content.number(0, 4) else { return .needsMore }
      head = 8 + offset
    }
    skipped += head
    let end = place.addingReportingOverflow(Int64(skipped)).partialValue
    return .sound(
      Sound(
        container: container, format: format,
        byteCount: byteCount(chunk, head, container, end: end), skippedByteCount: skipped))
  }

  /// The number of bytes of samples after the start of a chunk; nil if it is unknown.
  private func byteCount(
    _ chunk: Chunk, _ head: Int, _ container: PCMContainer, end: Int64
  ) -> Int64? {
    // Only CAF has a value for an unknown size.
    if container == .caf { return chunk.size < head ? nil : Int64(chunk.size - head) }
    let size = chunk.size == 0xFFFF_FFFF ? longByteCount ?? chunk.size : chunk.size
    // A size of 0 is correct if the size of the file includes more after it.
    if size == head { return (fileByteCount ?? 0) > end ? 0 : nil }
    return PCMHead.known(size).flatMap { $0 > head ? $0 - Int64(head) : nil }
  }

  /// Reads the header of AU.
  private func readHeader(_ bytes: ArraySlice<UInt8>, _ container: PCMContainer) -> Progress {
    let isLittle = container.isLittleEndian
    guard bytes.count >= 24, let start = bytes.number(4, 4, isLittleEndian: isLittle),
      let size = bytes.number(8, 4, isLittleEndian: isLittle)
    else { return .needsMore }
    guard start >= 24,
      let format = PCMFormat(au: bytes.dropFirst(12), isLittleEndian: isLittle)
    else { return .unsuitable }
    return .sound(
      Sound(
        container: container, format: format, byteCount: PCMHead.known(size),
        skippedByteCount: start))
  }
}
