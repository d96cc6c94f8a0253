// SPDX-License-Identifier: Apache-2.0

/// Files of speech codecs without a container, whose length only the packets determine.
///
/// Sources: RFC 4867, section 5 (AMR); RFC 3952, section 5 (iLBC); ETSI EN 300 961 (GSM 06.10).
enum SpeechStream {
  /// More than a day of packets of 20 ms.
  private static let countLimit = 1 << 23
  private static let chunk = 1 << 16

  /// The number of frames of a file; nil for another kind of file.
  ///
  /// - Complexity: O(n) in the number of bytes for AMR, whose packets differ in size; otherwise
  ///   O(1).
  static func frameCount(of stream: FileStream, _ codec: SoundCodec) -> Int? {
    let head = stream.bytes(at: 0, upTo: 16) ?? []
    let begins = { (text: String) in head.starts(with: Array(text.utf8)) }
    switch codec {
    case .amrNarrow where begins("#!AMR\n"):
      return packetCount(from: 6, in: stream, narrow).map { $0 * 160 }
    case .amrWide where begins("#!AMR-WB\n"):
      return packetCount(from: 9, in: stream, wide).map { $0 * 320 }
    case .ilbc where begins("#!iLBC20\n"): return Int((stream.length - 9) / 38) * 160
    case .ilbc where begins("#!iLBC30\n"): return Int((stream.length - 9) / 50) * 240
    case .gsm where head.first.map({ $0 >> 4 == 0xD }) ?? false:
      return Int(stream.length / 33) * 160
    default: return nil
    }
  }

  /// The number of bytes after the first byte of a packet, by the type in that byte; 0 if it is not
  /// a packet.
  private static let narrow = [12, 13, 15, 17, 19, 20, 26, 31, 5, 0, 0, 0, 0, 0, 0, 0]
  private static let wide = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0]

  private static func packetCount(
    from start: Int64, in stream: FileStream, _ sizes: [Int]
  ) -> Int? {
    var (count, place, base, bytes) = (0, start, start, [UInt8]())
    while count < countLimit {
      if place - base >= Int64(bytes.count) {
        (base, bytes) = (place, stream.bytes(at: place, upTo: chunk) ?? [])
        if bytes.isEmpty { return count }
      }
      place += 1 + Int64(sizes[Int(bytes[Int(place - base)] >> 3 & 15)])
      // The last packet can be truncated.
      if place <= stream.length { count += 1 }
    }
    return nil
  }
}
