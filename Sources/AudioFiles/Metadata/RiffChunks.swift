// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicalTime

/// Adds to a finished WAV or RF64 file what libsndfile does not write: the names of markers, and
/// in RF64 the markers and the loops themselves.
///
/// Sources: RIFF/WAVE (Multimedia Programming Interface and Data Specifications 1.0, and its
/// update 3); EBU Tech 3306.
struct RiffChunks {
  private var bytes: [UInt8] = []

  /// Appends what there is to say; returns false where the file does not take it.
  static func append(
    _ metadata: SoundFileMetadata, rate: SampleRate, to stream: FileStream
  ) -> Bool {
    var head = [UInt8](repeating: 0, count: 16)
    guard stream.seek(0, SEEK_SET) == 0 else { return false }
    let count = unsafe head.withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe stream.read($0, bytes.count) } ?? 0
    }
    guard count == head.count else { return false }
    let isLong = head.starts(with: Array("RF64".utf8))
    var chunks = RiffChunks()
    if isLong { chunks.addPlaces(metadata, rate) }
    chunks.addNames(metadata.markers)
    return chunks.bytes.isEmpty || chunks.write(to: stream, isLong: isLong)
  }

  private mutating func add(_ name: String, _ content: [UInt8]) {
    bytes += Array(name.utf8) + Self.word(content.count) + content
    if content.count % 2 == 1 { bytes.append(0) }
  }

  /// The names, by the numbers that the markers have: the first is 1.
  private mutating func addNames(_ markers: [SoundFileMetadata.Marker]) {
    var list = RiffChunks()
    for (index, marker) in markers.prefix(CueBlock.limit).enumerated() where !marker.name.isEmpty {
      let text = marker.name.utf8.filter { $0 != 0 }
      list.add("labl", Self.word(index + 1) + text + [0])
    }
    if !list.bytes.isEmpty { add("LIST", Array("adtl".utf8) + list.bytes) }
  }

  private mutating func addPlaces(_ metadata: SoundFileMetadata, _ rate: SampleRate) {
    let markers = metadata.markers.prefix(CueBlock.limit)
    if !markers.isEmpty {
      let points = markers.enumerated().flatMap { index, marker in
        let place = Self.word(Int(marker.position.frames))
        return Self.word(index + 1) + place + Array("data".utf8) + Self.word(0) + Self.word(0)
          + place
      }
      add("cue ", Self.word(markers.count) + points)
    }
    guard let instrument = metadata.instrument else { return }
    let loops = instrument.loops.prefix(16)
    let head = [
      0, 0, 1_000_000_000 / Int(rate.hertz), Int(instrument.baseKey), 0, 0, 0, loops.count, 0,
    ]
    let parts = loops.enumerated().flatMap { index, loop in
      // The last frame is part of the loop.
      let last = Int(max(loop.frames.lowerBound, loop.frames.upperBound - 1))
      let way = [.forward: 0, .alternating: 1, .backward: 2][loop.direction] ?? 0
      return [index, way, Int(loop.frames.lowerBound), last, 0, loop.count]
    }
    add("smpl", (head + parts).flatMap(Self.word))
  }

  private func write(to stream: FileStream, isLong: Bool) -> Bool {
    let length = stream.length
    let pad: [UInt8] = length % 2 == 1 ? [0] : []
    let end = Int(length) + pad.count + bytes.count
    // A WAV file has no room for more than its length can name; its sound stays as it is.
    guard isLong || end - 8 < 1 << 32 else { return true }
    let size = isLong ? Self.word(end - 8) + Self.word((end - 8) >> 32) : Self.word(end - 8)
    return Self.write(pad + bytes, at: length, to: stream)
      && Self.write(size, at: isLong ? 20 : 4, to: stream)
  }

  private static func write(_ bytes: [UInt8], at place: Int64, to stream: FileStream) -> Bool {
    guard stream.seek(place, SEEK_SET) == place else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe stream.write($0, bytes.count) } == bytes.count
    }
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
