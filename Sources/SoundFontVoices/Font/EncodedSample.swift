// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// A sample of an SF3 font: an Ogg Vorbis stream of one channel.
struct EncodedSample {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// As many bytes as the last page can have, which says how many frames there are.
  static let longestPage = 27 + 255 + 255 * 255

  /// The frames there are according to the last page, or 0 where there is none; its end is enough.
  ///
  /// Source: RFC 3533 (Ogg), section 6.
  var frameCount: Int {
    let name = Array("OggS".utf8)
    var place = bytes.count - 27
    while place >= 0, bytes[place..<place + 4] != name[...] { place -= 1 }
    guard place >= 0 else { return 0 }
    let position = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + 6 + $1]) << (8 * $1) }
    return Int(exactly: position).map { $0 > FontSamples.limit ? 0 : $0 } ?? 0
  }

  /// Fills a place for frames; false where the stream has fewer or cannot be decoded.
  func decode(into frames: UnsafeMutableBufferPointer<Int16>) -> Bool {
    guard let sound = MemorySound(bytes) else { return false }
    return unsafe sound.read(frames) == frames.count
  }
}
