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

  /// Decodes frames; returns the number written, less than asked for if the stream is damaged or ends.
  ///
  /// Memory behind them is left alone, so that a length that is only claimed takes none.
  func decode(into frames: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard let sound = MemorySound(bytes) else { return 0 }
    var count = 0
    while count < frames.count {
      let part = unsafe UnsafeMutableBufferPointer(
        rebasing: frames[count..<min(count + 65_536, frames.count)])
      let done = unsafe sound.read(part)
      count += done
      guard done == part.count else { break }
    }
    return count
  }
}
