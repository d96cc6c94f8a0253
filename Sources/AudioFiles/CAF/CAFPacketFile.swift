// SPDX-License-Identifier: Apache-2.0

/// Writes a Core Audio Format file of packets: its header, its packets, the packet table and the
/// metadata.
///
/// Source: Apple, Core Audio Format Specification 1.0.
struct CAFPacketFile {
  /// Frames of all packets so far.
  private(set) var decodedFrameCount: Int64 = 0
  private let stream: FileStream
  private let description: CAFDescription
  private var waiting: [UInt8] = []
  private var entries: [UInt8] = []
  private var (packetCount, byteCount) = (0, Int64(0))
  /// The position of the size of the sound.
  private let sizePlace: Int64
  /// True if the last packet had fewer frames than the others.
  private var isShort = false

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - stream: An empty file.
  ///   - description: The sound; a size or frame count of 0 is stated for each packet.
  ///   - cookie: The magic cookie, in this module's form.
  ///   - roles: The loudspeakers; written if there are more than two.
  init(
    _ stream: FileStream, _ description: CAFDescription, cookie: [UInt8], roles: ChannelLayout?
  ) {
    (self.stream, self.description) = (stream, description)
    waiting =
      Array("caff".utf8) + BigEndian.bytes(1, 2) + BigEndian.bytes(0, 2)
      + CAFDescribingChunks.chunk("desc", description.bytes)
    if let layout = roles.flatMap({ Self.layout($0, description.codec) }) {
      waiting += CAFDescribingChunks.chunk("chan", layout)
    }
    let content = CAFCookie.content(cookie, description.codec)
    if !content.isEmpty { waiting += CAFDescribingChunks.chunk("kuki", content) }
    sizePlace = Int64(waiting.count) + 4
    // Until the size is known, the sound extends to the end. After the size is the number of edits.
    waiting += Array("data".utf8) + BigEndian.bytes(-1, 8) + BigEndian.bytes(0, 4)
  }

  /// Adds a packet; returns false if it does not match the description, or follows a packet that is
  /// shorter than the others.
  mutating func write(_ bytes: [UInt8], frameCount: Int) -> Bool {
    guard accepts(bytes, frameCount: frameCount) else { return false }
    if description.framesPerPacket > 0, frameCount < description.framesPerPacket { isShort = true }
    if description.bytesPerPacket == 0 { entries += CAFPacketTable.entry(bytes.count) }
    if description.framesPerPacket == 0 { entries += CAFPacketTable.entry(frameCount) }
    packetCount += 1
    byteCount += Int64(bytes.count)
    decodedFrameCount += Int64(max(frameCount, description.framesPerPacket))
    waiting += bytes
    if waiting.count >= 1 << 16 { flush() }
    return true
  }

  private func accepts(_ bytes: [UInt8], frameCount: Int) -> Bool {
    guard !isShort, !bytes.isEmpty, bytes.count < 1 << 31, (0..<1 << 24).contains(frameCount) else {
      return false
    }
    let (size, frames) = (description.bytesPerPacket, description.framesPerPacket)
    return (size == 0 || bytes.count == size) && (frames == 0 || frameCount <= frames)
  }

  private mutating func flush() {
    unsafe waiting.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe _ = stream.write(base, bytes.count) }
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Writes the end; the stream keeps an error if the disk is full.
  ///
  /// - Parameters:
  ///   - priming: Decoded frames before the sound.
  ///   - frameCount: Frames of sound.
  ///   - metadata: The metadata.
  /// - Returns: False if the size of the sound could not be written.
  mutating func finish(
    priming: Int, frameCount: Int64, _ metadata: SoundFileMetadata
  ) -> Bool {
    let valid = min(max(0, frameCount), max(0, decodedFrameCount - Int64(priming)))
    let remainder = max(0, decodedFrameCount - Int64(priming) - valid)
    let table =
      BigEndian.bytes(packetCount, 8) + BigEndian.bytes(Int(valid), 8)
      + BigEndian.bytes(priming, 4) + BigEndian.bytes(Int(Int32(clamping: remainder)), 4) + entries
    waiting += CAFDescribingChunks.chunk("pakt", table) + CAFDescribingChunks(metadata).bytes
    flush()
    return stream.put(BigEndian.bytes(Int(byteCount) + 4, 8), at: sizePlace)
  }

  /// The content of the chunk `chan`; nil for up to two channels, or loudspeakers without a number.
  ///
  /// AAC and ALAC have their channels in the order of MPEG-4, for which Core Audio has tags.
  private static func layout(_ layout: ChannelLayout, _ codec: SoundCodec) -> [UInt8]? {
    let count = layout.roles.count
    guard count > 2, let mask = layout.mask else { return nil }
    let isMPEG = [.aac, .aacHE, .aacHEv2, .alac].contains(codec)
    let tag = [3: 114, 4: 116, 5: 120, 6: 124, 7: 142, 8: 127][count]
    if isMPEG, let tag, layout == .usual(channelCount: count) {
      return BigEndian.bytes(tag << 16 | count, 4) + BigEndian.bytes(0, 8)
    }
    return BigEndian.bytes(0x10000, 4) + BigEndian.bytes(Int(truncatingIfNeeded: mask), 4)
      + BigEndian.bytes(0, 4)
  }
}

extension CAFDescription {
  /// The description of packets.
  ///
  /// - Parameters:
  ///   - layer: The codec, rate and channels.
  ///   - cookie: The magic cookie; for ALAC it states the bits of a sample.
  init(packets layer: SoundLayer, cookie: [UInt8]) {
    self.init(hertz: Double(layer.hertz), codec: layer.codec, channelCount: layer.channelCount)
    framesPerPacket = layer.framesPerPacket
    switch layer.codec {
    case .imaADPCM: (bytesPerPacket, framesPerPacket) = (34 * layer.channelCount, 64)
    case .alac where cookie.count > 17:
      flags = UInt32([16: 1, 20: 2, 24: 3, 32: 4][cookie[17]] ?? 0)
    default: break
    }
  }
}
