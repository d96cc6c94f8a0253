// SPDX-License-Identifier: Apache-2.0

/// The audio description chunk of a Core Audio Format file.
///
/// Source: Apple, Core Audio Format Specification 1.0, "Audio Description Chunk".
struct CAFDescription: Hashable {
  static let byteCount = 32

  /// Frames per second.
  var hertz: Double
  /// Core Audio's code of the codec, four letters.
  var codec: SoundCodec
  /// Bits whose meaning depends on the codec.
  var flags: UInt32 = 0
  /// Bytes of each packet; 0 if they differ.
  var bytesPerPacket = 0
  /// Frames of each packet; 0 if they differ.
  var framesPerPacket = 0
  /// Samples in a frame.
  var channelCount: Int
  /// Bits of a sample; 0 for encoded sound.
  var bitsPerChannel = 0

  init(hertz: Double, codec: SoundCodec, channelCount: Int) {
    (self.hertz, self.codec, self.channelCount) = (hertz, codec, channelCount)
  }

  /// Reads the content of the chunk; nil if it is too short, or states an impossible rate or number
  /// of channels.
  init?(_ content: ArraySlice<UInt8>) {
    guard let rate = content.double(0), rate.isFinite, (1...100_000_000).contains(rate),
      let flags = content.number(12, 4), let bytes = content.number(16, 4),
      let frames = content.number(20, 4), let channels = content.number(24, 4),
      (1...1024).contains(channels), let bits = content.number(28, 4)
    else { return nil }
    hertz = rate
    codec = SoundCodec(rawValue: MP4Box.latin(content.dropFirst(8).prefix(4)))
    self.flags = UInt32(flags)
    (bytesPerPacket, framesPerPacket) = (bytes, frames)
    (channelCount, bitsPerChannel) = (channels, bits)
  }

  /// The content of the chunk.
  var bytes: [UInt8] {
    BigEndian.bytes(hertz) + MP4Box.latinBytes(codec.rawValue, count: 4)
      + [Int(flags), bytesPerPacket, framesPerPacket, channelCount, bitsPerChannel]
      .flatMap { BigEndian.bytes($0, 4) }
  }
}

/// Numbers as big-endian bytes.
enum BigEndian {
  /// The lowest bytes of a number, 1…8.
  static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  /// IEEE double precision.
  static func bytes(_ value: Double) -> [UInt8] {
    bytes(Int(bitPattern: UInt(value.bitPattern)), 8)
  }

  /// IEEE single precision.
  static func bytes(_ value: Float) -> [UInt8] { bytes(Int(value.bitPattern), 4) }
}

extension ArraySlice<UInt8> {
  /// A big-endian double-precision number; nil if it exceeds the slice.
  func double(_ place: Int) -> Double? {
    signed(place, 8).map { Double(bitPattern: UInt64(bitPattern: Int64($0))) }
  }

  /// A big-endian single-precision number; nil if it exceeds the slice.
  func float(_ place: Int) -> Float? {
    number(place, 4).map { Float(bitPattern: UInt32($0)) }
  }
}

extension MP4Box {
  /// The bytes of a text in ISO 8859-1, cut or filled with spaces to a number of bytes.
  static func latinBytes(_ text: String, count: Int) -> [UInt8] {
    let bytes = text.unicodeScalars.prefix(count).map { UInt8(truncatingIfNeeded: $0.value) }
    return bytes + Array(repeating: 0x20, count: count - bytes.count)
  }
}
