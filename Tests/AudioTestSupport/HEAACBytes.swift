// SPDX-License-Identifier: Apache-2.0

/// HE-AAC constructed from AAC-LC, because a free encoder does not exist: each packet's core is
/// followed by data that replicates its bands, with one flat envelope.
///
/// Source: ISO/IEC 14496-3, 4.4.2.7 (extension_payload), 4.4.2.8 (sbr_extension_data).
package enum HEAACBytes {
  /// Converts packets of AAC-LC with headers to HE-AAC; a decoder converts one channel to two,
  /// because parametric stereo may follow.
  package static func extended(_ stream: [UInt8]) -> [UInt8] {
    var (result, place) = ([UInt8](), 0)
    while place + 7 < stream.count {
      let head = Array(stream[place..<place + 7])
      let size = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
      let packet = extended(packet: stream[place + 7..<place + size])
      result += Self.head(head, size: packet.count + 7) + packet
      place += size
    }
    return result
  }

  private static func head(_ head: [UInt8], size: Int) -> [UInt8] {
    var head = head
    head[3] = head[3] & 0xFC | UInt8(size >> 11)
    head[4] = UInt8(size >> 3 & 0xFF)
    head[5] = UInt8(size & 7) << 5 | head[5] & 0x1F
    return head
  }

  /// A packet ends with three set bits, then with bits that fill its last byte.
  private static func extended(packet: ArraySlice<UInt8>) -> [UInt8] {
    var bits = packet.reduce(into: [UInt8]()) { bits, byte in
      bits += (0..<8).map { byte >> UInt8(7 - $0) & 1 }
    }
    while bits.last == 0 { bits.removeLast() }
    bits.removeLast(3)
    // A fill element of 13 bytes: 110, 1101.
    bits += [1, 1, 0, 1, 1, 0, 1]
    // Spectral band replication (1101) with a header: from band 5 to 9.
    bits += [1, 1, 0, 1, 1, 0] + [0, 1, 0, 1] + [1, 0, 0, 1]
    // The rest up to its end: constant envelopes have codes of zeros.
    bits += Array(repeating: 0, count: 13 * 8 - 14)
    bits += [1, 1, 1]
    bits += Array(repeating: 0, count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  /// An M4A file with another configuration and its index at the end.
  ///
  /// Source: ISO/IEC 14496-1, 7.2.6: here each descriptor stores its length in four bytes.
  package static func reconfigured(_ file: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8]?
  {
    let (growth, mark) = (new.count - old.count, [5, 0x80, 0x80, 0x80, UInt8(old.count)] + old)
    guard let place = file.indices.last(where: { file[$0...].starts(with: mark) }) else {
      return nil
    }
    var file = file
    for box in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "mp4a", "esds"] {
      let name = Array(box.utf8)
      guard let start = file[..<place].indices.last(where: { file[$0...].starts(with: name) })
      else { return nil }
      let size = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) } + growth
      for byte in 0..<4 { file[start - 4 + byte] = UInt8(size >> (24 - 8 * byte) & 0xFF) }
      guard box == "esds" else { continue }
      // The descriptors of the stream and of its decoder.
      file[start + 12] += UInt8(growth)
      file[start + 20] += UInt8(growth)
    }
    file[place + 4] = UInt8(new.count)
    file.replaceSubrange(place + 5..<place + 5 + old.count, with: new)
    return file
  }
}
