// SPDX-License-Identifier: Apache-2.0

/// Headers of PCM containers with any sizes, created by hand.
///
/// By default the samples have 16 bits, two channels and 44,100 Hz.
package enum PCMBytes {
  /// The format in a header of WAVE and Wave64.
  package struct Format {
    package var tag = 1
    package var channels = 2
    package var hertz = 44_100
    package var frameBytes = 4
    package var bits = 16

    package init() {}

    /// The content of the chunk, little-endian.
    var bytes: [UInt8] {
      let fields = [
        (tag, 2), (channels, 2), (hertz, 4), (hertz &* frameBytes, 4), (frameBytes, 2), (bits, 2),
      ]
      return fields.flatMap { PCMBytes.little($0.0, $0.1) }
    }
  }

  /// Creates a header of WAVE, RF64 or BW64.
  ///
  /// - Parameters:
  ///   - riff: The size of the file.
  ///   - data: The size of the samples.
  ///   - id: The first four characters.
  ///   - before: The chunks before the format.
  ///   - format: The format.
  /// - Returns: The bytes.
  package static func wave(
    riff: Int, data: Int, id: String = "RIFF", before: [UInt8] = [], format: Format = Format()
  ) -> [UInt8] {
    var bytes = Array(id.utf8) + little(riff, 4) + Array("WAVE".utf8)
    bytes += before + chunk("fmt ", format.bytes)
    return bytes + Array("data".utf8) + little(data, 4)
  }

  /// A chunk `ds64` of RF64 without a table.
  package static func ds64(riff: Int, data: Int) -> [UInt8] {
    chunk("ds64", little(riff, 8) + little(data, 8) + little(0, 8) + little(0, 4))
  }

  /// A chunk of WAVE with the correct size.
  package static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, 4) + content
      + [UInt8](repeating: 0, count: content.count % 2)
  }

  /// A header of AIFF: the sizes of the file and of the samples, and the number of frames.
  package static func aiff(form: Int, count: Int, size: Int, kind: String? = nil) -> [UInt8] {
    let more: [UInt8] = kind.map { Array($0.utf8) + [0, 0] } ?? []
    var bytes = Array("FORM".utf8) + big(form, 4)
    bytes += Array((kind == nil ? "AIFFCOMM" : "AIFCCOMM").utf8)
    bytes += big(18 + more.count, 4) + big(2, 2)
    bytes += big(count, 4) + big(16, 2)
    bytes += [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    bytes += more + Array("SSND".utf8)
    return bytes + big(size, 4) + big(0, 8)
  }

  /// A big-endian header of AU, with bytes after it.
  package static func au(size: Int, kind: Int = 3, channels: Int = 2, text: [UInt8] = []) -> [UInt8]
  {
    var bytes = Array(".snd".utf8) + big(24 + text.count, 4)
    bytes += big(size, 4) + big(kind, 4)
    return bytes + big(44_100, 4) + big(channels, 4) + text
  }

  /// A little-endian header of AU.
  package static func littleAU(size: Int) -> [UInt8] {
    var bytes = Array("dns.".utf8) + little(24, 4)
    bytes += little(size, 4) + little(3, 4)
    return bytes + little(44_100, 4) + little(2, 4)
  }

  /// A header of CAF: the size of the samples with the four bytes before them.
  package static func caf(
    size: Int, flags: Int = 2, frameBytes: Int = 4, channels: Int = 2, bits: Int = 16
  ) -> [UInt8] {
    var bytes = Array("caff".utf8) + [0, 1, 0, 0]
    bytes += Array("desc".utf8) + big(32, 8)
    bytes += big(Int((44_100.0).bitPattern), 8) + Array("lpcm".utf8)
    bytes += big(flags, 4) + big(frameBytes, 4)
    bytes += big(1, 4) + big(channels, 4) + big(bits, 4)
    return bytes + Array("data".utf8) + big(size, 8) + big(0, 4)
  }

  /// A header of Wave64: the size of the samples with the 24 bytes of their chunk.
  package static func wave64(size: Int, format: Format = Format()) -> [UInt8] {
    let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
    var bytes = Array("riff".utf8) + riff + little(-1, 8)
    bytes += Array("wave".utf8) + tail
    bytes += Array("fmt ".utf8) + tail + little(40, 8) + format.bytes
    return bytes + Array("data".utf8) + tail + little(size, 8)
  }

  /// A big-endian number.
  package static func big(_ value: Int, _ count: Int) -> [UInt8] {
    FLACMaker.big(UInt64(truncatingIfNeeded: value), count)
  }

  /// A little-endian number.
  package static func little(_ value: Int, _ count: Int) -> [UInt8] {
    OggPages.little(UInt64(truncatingIfNeeded: value), count)
  }
}
