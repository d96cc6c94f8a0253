// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Adds markers, regions, instrument and tempo to a finished WAV or RF64 file, and reads them.
///
/// libsndfile does not write the names of markers or the tempo, and does not write any of these
/// into RF64 files.
///
/// Sources: RIFF/WAVE (Multimedia Programming Interface and Data Specifications 1.0); EBU Tech
/// 3306.
struct RiffChunks {
  /// More chunks than any file has.
  private static let countLimit = 1000
  private static let byteLimit = 1 << 22

  /// Appends chunks with metadata; returns false if reading or writing fails.
  static func append(
    _ metadata: SoundFileMetadata, rate: SampleRate, to stream: FileStream
  ) -> Bool {
    guard let head = stream.bytes(at: 0, 16) else { return false }
    let bytes = RiffMetadata.chunks(metadata, rate: rate).flatMap {
      RiffMetadata.chunk($0.name, $0.content)
    }
    let isLong = head.starts(with: Array("RF64".utf8))
    return bytes.isEmpty || write(bytes, to: stream, isLong: isLong)
  }

  private static func write(_ bytes: [UInt8], to stream: FileStream, isLong: Bool) -> Bool {
    let length = stream.length
    let pad: [UInt8] = length % 2 == 1 ? [0] : []
    let end = Int(length) + pad.count + bytes.count
    // A WAV file that would exceed 4 GB stays unchanged.
    guard isLong || end - 8 < 1 << 32 else { return true }
    let size = RiffMetadata.word(end - 8) + (isLong ? RiffMetadata.word((end - 8) >> 32) : [])
    return stream.put(pad + bytes, at: length) && stream.put(size, at: isLong ? 20 : 4)
  }

  /// The metadata in the chunks of a WAV or RF64 file; nil for another file.
  ///
  /// - Complexity: O(n) in the number of chunks, at most 1000.
  static func metadata(of stream: FileStream) -> RiffMetadata? {
    guard let head = stream.bytes(at: 0, 12), MP4Box.latin(head[8...]) == "WAVE" else { return nil }
    let kind = MP4Box.latin(head[..<4])
    guard ["RIFF", "RIFX", "RF64"].contains(kind) else { return nil }
    let isLittle = kind != "RIFX"
    var (place, long, found) = (Int64(12), Int64(0), [(name: String, content: ArraySlice<UInt8>)]())
    for _ in 0..<countLimit {
      guard let head = stream.bytes(at: place, 8),
        let stated = RiffMetadata.Words(bytes: head[...], isLittle: isLittle)[4, 4]
      else { break }
      let name = MP4Box.latin(head[..<4])
      var size = Int64(stated)
      if name == "ds64" { long = longSize(stream, place) }
      if name == "data", kind == "RF64", stated == 0xFFFF_FFFF { size = long }
      if RiffMetadata.names.contains(name), size <= byteLimit,
        let content = stream.bytes(at: place + 8, upTo: Int(size))
      {
        found.append((name, content[...]))
      }
      // The sizes are below 2^50.
      place += 8 + size + size % 2
    }
    return RiffMetadata(found, isLittle: isLittle)
  }

  /// The bytes of the sound as a chunk `ds64` states them; 0 for an impossible number.
  private static func longSize(_ stream: FileStream, _ place: Int64) -> Int64 {
    guard let bytes = stream.bytes(at: place + 16, 8) else { return 0 }
    let size = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size < 1 << 50 ? Int64(size) : 0
  }
}
