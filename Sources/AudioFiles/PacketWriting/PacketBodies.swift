// SPDX-License-Identifier: Apache-2.0

/// Packets in a Core Audio Format file.
struct CAFBody: PacketBody {
  private var file: CAFPacketFile

  init(_ stream: FileStream, _ layer: SoundLayer, _ cookie: [UInt8]) {
    file = CAFPacketFile(
      stream, CAFDescription(packets: layer, cookie: cookie), cookie: cookie,
      roles: .usual(channelCount: layer.channelCount))
  }

  mutating func write(_ packet: [UInt8], frameCount: Int) throws(PacketRefusal) {
    guard file.write(packet, frameCount: frameCount) else {
      throw PacketRefusal(
        "a packet of \(packet.count) bytes and \(frameCount) frames differs from those before it")
    }
  }

  mutating func finish(
    _ extent: PacketExtent, _ metadata: SoundFileMetadata
  ) throws(PacketRefusal) {
    guard file.finish(priming: extent.priming, frameCount: extent.frameCount, metadata) else {
      throw PacketRefusal("the size of the sound cannot be written")
    }
  }
}

/// Packets in an M4A file.
///
/// They are first written to a file without a name, because the index precedes them.
struct MP4Body: PacketBody {
  private let target: FileStream
  private let stream: FileStream
  private let layer: SoundLayer
  private let cookie: [UInt8]
  private var sound: ByteBuffer
  private var packets: [MP4Head.Packet] = []

  init(_ target: FileStream, _ layer: SoundLayer, _ cookie: [UInt8]) throws(PacketRefusal) {
    let isKnown =
      layer.codec == .alac ? cookie.count >= 36 : AudioSpecificConfig(cookie) != nil
    guard isKnown else { throw PacketRefusal("the magic cookie is missing or damaged") }
    do throws(SoundFileError) {
      stream = try FileStream.nameless(for: "")
    } catch {
      throw PacketRefusal("a temporary file cannot be created")
    }
    (self.target, self.layer, self.cookie) = (target, layer, cookie)
    sound = ByteBuffer(stream)
  }

  mutating func write(_ packet: [UInt8], frameCount: Int) throws(PacketRefusal) {
    packets.append(MP4Head.Packet(byteCount: packet.count, frameCount: frameCount))
    sound.append(packet)
    if stream.failure != 0 { throw PacketRefusal("the temporary file cannot be written") }
  }

  mutating func finish(
    _ extent: PacketExtent, _ metadata: SoundFileMetadata
  ) throws(PacketRefusal) {
    sound.flush()
    let config = layer.codec == .alac ? nil : AudioSpecificConfig(cookie)?.layers.last
    let head = MP4Head(
      codec: layer.codec, cookie: cookie,
      channelCount: config?.channelCount ?? layer.channelCount, hertz: layer.hertz,
      packets: packets, primingFrameCount: extent.priming, frameCount: extent.frameCount,
      tags: metadata.tags)
    guard target.put(head.bytes, at: 0), stream.seek(0, 0) == 0, stream.copyAll(to: target) == 0,
      stream.failure == 0
    else { throw PacketRefusal("the packets cannot be copied") }
  }
}

/// AAC packets with ADTS headers.
struct ADTSBody: PacketBody {
  private var buffer: ByteBuffer
  private let config: AudioSpecificConfig

  init(_ stream: FileStream, _ cookie: [UInt8]) throws(PacketRefusal) {
    guard let config = AudioSpecificConfig(cookie) else {
      throw PacketRefusal("the magic cookie is missing or damaged")
    }
    guard ADTSHeader.bytes(before: 1, config) != nil else {
      throw PacketRefusal("ADTS does not support its sample rate or channel count")
    }
    (buffer, self.config) = (ByteBuffer(stream), config)
  }

  mutating func write(_ packet: [UInt8], frameCount: Int) throws(PacketRefusal) {
    guard let head = ADTSHeader.bytes(before: packet.count, config) else {
      throw PacketRefusal("ADTS does not support packets of \(packet.count) bytes")
    }
    buffer.append(head + packet)
  }

  mutating func finish(
    _ extent: PacketExtent, _ metadata: SoundFileMetadata
  ) throws(PacketRefusal) {
    buffer.flush()
  }
}

/// Packets in an MP3 file, after a packet that states which frames are sound.
struct MP3Body: PacketBody {
  private let stream: FileStream
  private var buffer: ByteBuffer
  private var header: [UInt8] = []
  private var sizes: [Int] = []
  private var sum = CyclicSum()

  init(_ stream: FileStream) { (self.stream, buffer) = (stream, ByteBuffer(stream)) }

  mutating func write(_ packet: [UInt8], frameCount: Int) throws(PacketRefusal) {
    guard let head = MPEGAudioHeader(packet[...]), head.layer == 3 else {
      throw PacketRefusal("a packet does not begin with a header of MP3")
    }
    if header.isEmpty {
      header = Array(packet.prefix(4))
      guard let info = info(PacketExtent()) else {
        throw PacketRefusal("its MP3 frames are too small for an Info header")
      }
      // Its space is reserved until its content is known.
      buffer.append([UInt8](repeating: 0, count: info.count))
    }
    sizes.append(packet.count)
    sum.add(packet)
    buffer.append(packet)
  }

  private func info(_ extent: PacketExtent) -> [UInt8]? {
    InfoPacket(
      header: header, sizes: sizes, priming: extent.priming, remainder: extent.remainder,
      sum: sum.value)?.bytes
  }

  mutating func finish(
    _ extent: PacketExtent, _ metadata: SoundFileMetadata
  ) throws(PacketRefusal) {
    buffer.flush()
    guard !header.isEmpty else { return }
    guard let bytes = info(extent), stream.put(bytes, at: 0) else {
      throw PacketRefusal("its Info header cannot be written")
    }
  }
}
