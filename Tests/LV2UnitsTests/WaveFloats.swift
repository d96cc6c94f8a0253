// SPDX-License-Identifier: Apache-2.0

/// Sound files of single precision.
enum WaveFloats {
  static func file(_ samples: [Float], channelCount: Int) -> [UInt8] {
    let size = UInt32(samples.count * 4)
    let frame = UInt32(channelCount * 4)
    var bytes = Array("RIFF".utf8) + word(size + 50) + Array("WAVEfmt ".utf8) + word(18)
    bytes += word(3 | UInt32(channelCount) << 16) + word(48_000) + word(48_000 * frame)
    bytes += word(frame | 32 << 16) + [0, 0]
    bytes += Array("fact".utf8) + word(4) + word(size / frame) + Array("data".utf8) + word(size)
    return bytes + samples.flatMap { word($0.bitPattern) }
  }

  private static func word(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  /// The samples of the data chunk.
  static func samples(_ bytes: [UInt8]) -> [Float] {
    var place = 12
    while place + 8 <= bytes.count {
      let size = Int(number(bytes, place + 4))
      if bytes[place..<place + 4].elementsEqual("data".utf8) {
        let end = min(bytes.count, place + 8 + size)
        return stride(from: place + 8, to: end, by: 4).map {
          Float(bitPattern: number(bytes, $0))
        }
      }
      place += 8 + size + size % 2
    }
    return []
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
  }
}
