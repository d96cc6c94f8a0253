// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// AAC as it is broadcast, created by hand: ADTS headers, and random bytes without 0xFF instead of
/// sound, so that each packet is found at its position.
///
/// Source: ISO/IEC 13818-7, 6.2.
enum AACBytes {
  /// The packets of a file, each with its header.
  static func packets(_ count: Int, seed: UInt64 = 1) -> [[UInt8]] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in
      let size = 100 + Int(random.next() % 400)
      let body = (0..<size).map { _ in UInt8(random.next() % 255) }
      let length = size + 7
      // AAC-LC, 44100 Hz, two channels.
      return [
        0xFF, 0xF1, 0x50, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
        UInt8(length & 7) << 5 | 0x1F, 0xFC,
      ] + body
    }
  }

  static func file(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    packets(count, seed: seed).flatMap { $0 }
  }
}
