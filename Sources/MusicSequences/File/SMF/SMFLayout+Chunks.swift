// SPDX-License-Identifier: Apache-2.0

extension SMFLayout {
  /// Finds the chunks from an offset to the end.
  mutating func scanChunks(from start: Int) {
    var offset = start
    while offset < end {
      // Some writers count the padding of the chunk 'data' as its content.
      if container == .rmid, offset + 1 == end, reader.bytes[offset] == 0 { return }
      guard offset + 8 <= end, let length = reader.long(at: offset + 4) else {
        note(.trailingBytes, at: offset, value: end - offset)
        return
      }
      offset =
        isTrack(at: offset)
        ? scanTrack(at: offset, length: length) : scanStranger(at: offset, length: length)
    }
  }

  private func isTrack(at offset: Int) -> Bool {
    reader.has("MTrk", at: offset) || reader.has("mtrk", at: offset)
  }

  /// Adds a track and returns the offset after it.
  private mutating func scanTrack(at offset: Int, length: Int) -> Int {
    let start = offset + 8
    let index = tracks.count
    if reader.has("mtrk", at: offset) { note(.chunkName, at: offset, track: index) }
    let claimed = start + length
    if claimed <= end, claimed == end || isChunk(at: claimed) || endsTrack(at: claimed) {
      tracks.append(start..<claimed)
      return claimed
    }
    let next = reader.firstOffset(of: "MTrk", from: start).map { min($0, end) } ?? end
    tracks.append(start..<next)
    note(.trackLength, at: offset + 4, value: length, track: index)
    return next
  }

  /// Keeps a chunk that is not a track, or skips bytes that are not a chunk.
  private mutating func scanStranger(at offset: Int, length: Int) -> Int {
    if hasName(at: offset), offset + 8 + length <= end {
      unknownChunks.append((tracks.count, offset..<offset + 8 + length))
      note(.unknownChunk, at: offset, value: length)
      return offset + 8 + length
    }
    let next = reader.firstOffset(of: "MTrk", from: offset).map { min($0, end) } ?? end
    note(.trailingBytes, at: offset, value: next - offset)
    return next
  }

  /// True if a chunk seems to begin at an offset and fits into the file.
  private func isChunk(at offset: Int) -> Bool {
    if isTrack(at: offset) { return true }
    guard hasName(at: offset), let length = reader.long(at: offset + 4) else { return false }
    return offset + 8 + length <= end
  }

  private func hasName(at offset: Int) -> Bool {
    guard offset + 4 <= end else { return false }
    return reader.bytes[offset..<offset + 4].allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// True if an end-of-track event ends at an offset.
  private func endsTrack(at offset: Int) -> Bool {
    offset >= 3 && reader.bytes[offset - 3] == 0xFF && reader.bytes[offset - 2] == 0x2F
      && reader.bytes[offset - 1] == 0
  }
}
