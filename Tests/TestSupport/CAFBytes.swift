// SPDX-License-Identifier: Apache-2.0

/// Core Audio Format files with any numbers in their chunks, created by hand so that they can be
/// invalid.
public struct CAFBytes {
  /// Frames per second.
  public var hertz = 44_100.0
  /// The codec, four characters.
  public var codec = "lpcm"
  /// Bits whose meaning depends on the codec.
  public var flags: UInt32 = 0
  /// Bytes and frames of each packet; 0 if they differ.
  public var (bytesPerPacket, framesPerPacket): (UInt32, UInt32) = (4, 1)
  /// Samples in a frame.
  public var channelCount: UInt32 = 2
  /// Bits of a sample.
  public var bitsPerChannel: UInt32 = 16
  /// The sound.
  public var sound: [UInt8] = []
  /// The size of the sound that the file states, including the four bytes of its edits; nil for the
  /// actual size.
  public var claimedSoundSize: Int64?
  /// Chunks between the description and the sound, and chunks after the sound.
  public var (before, behind): ([[UInt8]], [[UInt8]]) = ([], [])

  /// Creates a file of 16-bit samples in stereo at 44,100 Hz, without samples.
  public init() {}

  /// The file.
  public var bytes: [UInt8] {
    let description =
      Self.number(hertz.bitPattern) + Array(codec.utf8.prefix(4))
      + [flags, bytesPerPacket, framesPerPacket, channelCount, bitsPerChannel].flatMap(Self.number)
    let data = [0, 0, 0, 0] + sound
    return Array("caff".utf8) + [0, 1, 0, 0] + Self.chunk("desc", description)
      + before.flatMap { $0 } + Self.chunk("data", data, claiming: claimedSoundSize)
      + behind.flatMap { $0 }
  }

  /// A chunk with its actual size or another one.
  public static func chunk(
    _ name: String, _ content: [UInt8], claiming size: Int64? = nil
  ) -> [UInt8] {
    Array(name.utf8) + number(size ?? Int64(content.count)) + content
  }

  /// A packet table.
  public static func packetTable(
    count: Int64, validFrames: Int64, priming: Int32 = 0, remainder: Int32 = 0, entries: [UInt8]
  ) -> [UInt8] {
    chunk(
      "pakt", number(count) + number(validFrames) + number(priming) + number(remainder) + entries)
  }

  /// Numbers of a packet table, with seven bits per byte.
  public static func entries(_ values: [Int]) -> [UInt8] {
    values.flatMap { value -> [UInt8] in
      var (bytes, rest) = ([UInt8(value & 0x7F)], value >> 7)
      while rest > 0 {
        bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return bytes
    }
  }

  /// A marker with an identifier, at a frame or without one.
  public static func marker(_ identifier: UInt32, _ frame: Double, time: [UInt8]? = nil) -> [UInt8]
  {
    number(UInt32(0)) + number(frame.bitPattern) + number(identifier)
      + (time ?? Array(repeating: 0xFF, count: 8)) + number(UInt32(0))
  }

  /// Texts, each with a zero at its end, after their number.
  public static func texts(_ pairs: [(String, String)], claiming count: UInt32? = nil) -> [UInt8] {
    number(count ?? UInt32(pairs.count))
      + pairs.flatMap { Array($0.0.utf8) + [0] + Array($0.1.utf8) + [0] }
  }

  /// Names of identifiers.
  public static func names(_ names: [(UInt32, String)], claiming count: UInt32? = nil) -> [UInt8] {
    var (entries, texts) = ([UInt8](), [UInt8]())
    for (identifier, name) in names {
      entries += number(identifier) + number(Int64(texts.count))
      texts += Array(name.utf8) + [0]
    }
    return chunk("strg", number(count ?? UInt32(names.count)) + entries + texts)
  }

  /// A big-endian number.
  public static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).reversed().map {
      UInt8(truncatingIfNeeded: number >> Number($0 * 8))
    }
  }
}
