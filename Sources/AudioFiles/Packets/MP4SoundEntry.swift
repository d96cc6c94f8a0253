// SPDX-License-Identifier: Apache-2.0

/// What an MP4 file says of a sound track's codec.
///
/// Sources: ISO/IEC 14496-12, 12.2.3 (AudioSampleEntry); 14496-1, 7.2.6 (descriptors); QuickTime
/// File Format, sound sample descriptions of version 1 and 2.
struct MP4SoundEntry {
  let codec: SoundCodec
  let cookie: [UInt8]
  let channelCount: Int

  /// Reads a sample entry; nil where its codec is none that is read here.
  init?(_ entry: MP4Box) {
    guard let version = entry.content.number(8, 2),
      let channels = entry.content.number(16, 2)
    else { return nil }
    let boxes = entry.dropping(28 + [1: 16, 2: 36][version, default: 0])
    switch entry.name {
    case "alac":
      guard let box = boxes.child("alac") ?? boxes.child("wave", "alac") else { return nil }
      codec = .alac
      // FFmpeg wants the box around the cookie too.
      cookie = MP4Box.bytes("alac", Array(box.content))
      channelCount = box.content.number(4 + 9, 1) ?? channels
    case "mp4a":
      guard let box = boxes.child("esds") ?? boxes.child("wave", "esds"),
        let (kind, bytes) = Self.decoder(box.content.dropFirst(4))
      else { return nil }
      switch kind {
      case 0x40, 0x66, 0x67, 0x68:
        guard let config = AudioSpecificConfig(bytes) else { return nil }
        (codec, cookie) = (config.layers[0].codec, bytes)
        channelCount = config.channelCount == 0 ? channels : config.layers[0].channelCount
      case 0x69, 0x6B: (codec, cookie, channelCount) = (.mp3, [], channels)
      default: return nil
      }
    default: return nil
    }
    guard (1...8).contains(channelCount) else { return nil }
  }

  /// The kind of decoder and what it is to know, of an elementary stream descriptor.
  private static func decoder(_ bytes: ArraySlice<UInt8>) -> (kind: Int, cookie: [UInt8])? {
    guard let stream = descriptor(3, bytes), let flags = stream.number(2, 1) else { return nil }
    var head = 3
    if flags & 0x80 != 0 { head += 2 }
    if flags & 0x40 != 0 { head += 1 + (stream.number(head, 1) ?? 0) }
    if flags & 0x20 != 0 { head += 2 }
    guard let config = descriptor(4, stream.dropFirst(head)), let kind = config.number(0, 1) else {
      return nil
    }
    return (kind, descriptor(5, config.dropFirst(13)).map { Array($0) } ?? [])
  }

  /// The content of a descriptor of a kind that begins here.
  private static func descriptor(_ tag: Int, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard bytes.number(0, 1) == tag else { return nil }
    var (size, place) = (0, 1)
    while place < 5, let byte = bytes.number(place, 1) {
      size = size << 7 | byte & 0x7F
      place += 1
      if byte & 0x80 == 0 { break }
    }
    return size <= bytes.count - place ? bytes.dropFirst(place).prefix(size) : nil
  }
}
