// SPDX-License-Identifier: Apache-2.0

/// Scans the chunks of a RIFF wrapper, in any order.
///
/// Damage is reported and never throws an error.
struct WrapperScan {
  /// The type of the form, with the name and the length before it.
  private static let headCount = 12
  private static let list = ChunkName("LIST")
  private static let form = ChunkName("RIFF")
  private static let song = ChunkName("data")
  /// Chunks that may follow another without the padding that an odd length needs.
  private static let known: Set = [list, form, song, ChunkName("DISP")]

  private let reader: ByteReader
  private(set) var wrapper: SongWrapper
  /// The bytes of the song, shortened to the end of the file; nil without a song.
  private(set) var song: Range<Int>?
  /// The repairs that were made.
  private(set) var log = RepairLog(limit: RepairLog.fileLimit)

  /// Scans a file that begins with `RIFF` and `RMID`.
  ///
  /// - Complexity: O(n) in the number of chunks.
  init(_ reader: ByteReader) {
    self.reader = reader
    wrapper = SongWrapper(bytes: reader.bytes)
    var offset = Self.headCount
    while let (chunk, next) = chunk(at: offset, before: reader.count, padded: false) {
      take(chunk, at: offset)
      offset = next
    }
  }

  /// The chunk at an offset, and the offset of the next one.
  ///
  /// - Parameters:
  ///   - offset: The offset.
  ///   - end: The end of the list that contains the chunk.
  ///   - padded: True if chunks of odd length are always padded.
  /// - Returns: The chunk and the next offset; nil if no chunk begins there.
  private func chunk(
    at offset: Int, before end: Int, padded: Bool
  ) -> (SongWrapper.Chunk, next: Int)? {
    guard offset + 8 <= end, let length = reader.littleLong(at: offset + 4),
      let name = name(at: offset), name.isPrintable
    else { return nil }
    let claimed = offset + 8 + length
    let content = offset + 8..<min(claimed, end)
    let hasType = (name == Self.list || name == Self.form) && content.count >= 4
    let chunk = SongWrapper.Chunk(
      name: name, type: hasType ? self.name(at: offset + 8) : nil, content: content)
    let lacksPadding =
      !padded && length & 1 == 1 && self.name(at: claimed).map(Self.known.contains) == true
    return (chunk, lacksPadding ? claimed : claimed + length & 1)
  }

  /// The number of bytes by which the stated length exceeds the available space; negative or 0 if
  /// it fits.
  private func missing(from chunk: SongWrapper.Chunk, at offset: Int) -> Int {
    offset + 8 + (reader.littleLong(at: offset + 4) ?? 0) - chunk.content.upperBound
  }

  private func name(at offset: Int) -> ChunkName? {
    reader.long(at: offset).map { ChunkName(code: UInt32(truncatingIfNeeded: $0)) }
  }

  private mutating func take(_ chunk: SongWrapper.Chunk, at offset: Int) {
    wrapper.chunks.append(chunk)
    let missing = missing(from: chunk, at: offset)
    switch (chunk.name, chunk.type?.description) {
    case (Self.song, _) where song == nil:
      song = chunk.content
      if missing > 0 { note(.wrapperLength, at: offset + 4) }
    case (Self.form, "sfbk"): take(.soundFont, chunk, at: offset, missing)
    case (Self.form, "DLS "): take(.downloadableSounds, chunk, at: offset, missing)
    case (Self.list, "INFO"):
      if missing > 0 { note(.wrapperChunk, at: offset + 4, value: missing) }
      takeInformation(chunk.content.dropFirst(4))
    default:
      if missing > 0 { note(.wrapperChunk, at: offset + 4, value: missing) }
    }
  }

  private mutating func take(
    _ kind: SongWrapper.Bank.Kind, _ chunk: SongWrapper.Chunk, at offset: Int, _ missing: Int
  ) {
    guard wrapper.bank == nil else { return note(.furtherBank, at: offset) }
    wrapper.bank = SongWrapper.Bank(
      kind: kind, range: offset..<chunk.content.upperBound, missingCount: max(0, missing))
    if missing > 0 { note(.bankLength, at: offset + 4, value: missing) }
  }

  private mutating func takeInformation(_ content: Range<Int>) {
    var offset = content.lowerBound
    while let (chunk, next) = chunk(at: offset, before: content.upperBound, padded: true) {
      let missing = missing(from: chunk, at: offset)
      if missing > 0 { note(.wrapperChunk, at: offset + 4, value: missing) }
      // Empty chunks are not allowed, and are discarded.
      if !chunk.content.isEmpty { wrapper.information.append(chunk) }
      if chunk.name == SongWrapper.Field.bankOffset.names[0] { takeBankOffset(chunk) }
      offset = next
    }
  }

  private mutating func takeBankOffset(_ chunk: SongWrapper.Chunk) {
    let number = chunk.content.count == 2 ? reader.littleWord(at: chunk.content.lowerBound) : nil
    guard let number, number <= 127 else {
      return note(.bankOffset, at: chunk.content.lowerBound, value: number ?? -1)
    }
    wrapper.statedBankOffset = wrapper.statedBankOffset ?? number
  }

  private mutating func note(_ kind: Repair.Kind, at offset: Int, value: Int = 0) {
    log.append(Repair(kind, offset: offset, value: value))
  }
}
