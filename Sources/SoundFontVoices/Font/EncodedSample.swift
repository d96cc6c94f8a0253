// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import SoundFontFiles

/// A compressed sample of an SF3 font: a stream of one channel.
struct EncodedSample {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The maximum number of bytes that are read to find the length of a sample.
  static let headCost = EncodedHead.length + EncodedStream.tailLength

  /// Decodes frames.
  ///
  /// If the stream is damaged or shorter than stated, returns false, and all frames are silent.
  ///
  /// Memory after the decoded frames is not written, so a wrong length does not use memory.
  func decode(into frames: UnsafeMutableBufferPointer<Int16>) -> Bool {
    guard let sound = MemorySound(EncodedStream(bytes).unwrapped ?? bytes) else { return false }
    var count = 0
    while count < frames.count {
      let part = unsafe UnsafeMutableBufferPointer(
        rebasing: frames[count..<min(count + 65_536, frames.count)])
      let done = unsafe sound.read(part)
      count += done
      guard done == part.count else { break }
    }
    // An Ogg stream may be cut from a longer one; its last position then exceeds its length.
    guard count < min(frames.count, sound.frameCount) else { return true }
    unsafe frames.prefix(count).update(repeating: 0)
    return false
  }
}

extension SampleCodec {
  /// The codecs that libsndfile can decode on this machine.
  package static var decodable: Set<SampleCodec> {
    Set(
      allCases.filter { codec in
        switch codec {
        case .vorbis: MemorySound.canRead(.vorbis)
        case .opus: MemorySound.canRead(.opus)
        case .flac: MemorySound.canRead(.flac)
        }
      })
  }
}
