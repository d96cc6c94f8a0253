// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime

/// A stream of packets in Core Audio's terms: each frame of samples is a packet.
struct StreamContents {
  private(set) var tags: [SoundFileMetadata.Tag: String] = [:]
  /// The largest packet so far, in bytes.
  private(set) var largestPacket = 0
  var stream = SoundStream()
  /// The first bytes, which show the kind of container.
  private var head: [UInt8] = []

  /// Appends bytes at a position; nil if they follow the bytes before.
  mutating func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64?) {
    if head.count < 12, offset == nil { unsafe head += bytes.prefix(12 - head.count) }
    unsafe stream.append(bytes, at: offset)
  }

  /// Returns the packets that were found since the last call.
  mutating func takePackets() -> [SoundStream.Packet] {
    let packets = stream.takePackets()
    for packet in packets {
      if let new = packet.newTags { tags = new }
      largestPacket = max(largestPacket, packet.bytes.count)
    }
    return packets
  }

  /// The form of the samples; nil for encoded packets.
  private var form: PCMForm? {
    guard let properties = stream.properties, let samples = properties.samples,
      let layer = properties.layers.first, let rate = SampleRate(hertz: layer.hertz)
    else { return nil }
    var form = PCMForm(.integer16, rate: rate, channelCount: layer.channelCount)
    form.layout = samples
    return form
  }

  /// The size of a frame of samples in bytes; nil for encoded packets.
  var frameByteCount: Int? { form?.bytesPerFrame }

  /// The ways in which the packets can be decoded, the richest first.
  var formats: [AudioStreamBasicDescription] {
    if let form { return [form.description] }
    return stream.properties?.layers.map { AudioStreamBasicDescription($0) } ?? []
  }

  /// The richest of the formats.
  var format: AudioStreamBasicDescription? { formats.first }

  /// The type of the file; 'OggS' and 'mp2t' for containers without a type in Apple's headers.
  var type: AudioFileTypeID? {
    guard let properties = stream.properties else { return nil }
    let (first, form) = (head.prefix(4), head.dropFirst(8).prefix(4))
    switch properties.kind {
    case .adts: return kAudioFileAAC_ADTSType
    case .flac: return kAudioFileFLACType
    case .au: return kAudioFileNextType
    case .caf: return kAudioFileCAFType
    case .ogg: return 0x4F67_6753
    case .transport: return 0x6D70_3274
    case .aiff: return form.elementsEqual("AIFC".utf8) ? kAudioFileAIFCType : kAudioFileAIFFType
    case .wave:
      if first.elementsEqual("riff".utf8) { return kAudioFileWave64Type }
      return first.elementsEqual("RIFF".utf8) || first.elementsEqual("RIFX".utf8)
        ? kAudioFileWAVEType : kAudioFileRF64Type
    case .mp4:
      if form.starts(with: "M4A".utf8) { return kAudioFileM4AType }
      return form.starts(with: "M4B".utf8) ? kAudioFileM4BType : kAudioFileMPEG4Type
    case .mpegAudio:
      switch properties.layers.first?.codec {
      case .mp1?: return kAudioFileMP1Type
      case .mp2?: return kAudioFileMP2Type
      default: return kAudioFileMP3Type
      }
    }
  }

  /// The position from which to continue with a packet; nil for a packet that does not exist.
  func place(ofPacket packet: Int64) -> (offset: Int64, isEstimated: Bool)? {
    guard packet >= 0, let properties = stream.properties else { return nil }
    guard let frameByteCount else {
      guard packet < 1 << 48 else { return nil }
      return stream.seek(toPacket: Int(packet)).map { ($0.offset, $0.isEstimated) }
    }
    let (bytes, overflows) = packet.multipliedReportingOverflow(by: Int64(frameByteCount))
    guard !overflows, bytes < 1 << 60 else { return nil }
    if let frames = stream.frameCount, packet >= frames.value { return nil }
    return (properties.dataOffset + bytes, false)
  }

  /// The number of packets; nil if the stream does not state it.
  var packetCount: Int64? {
    if frameByteCount != nil { return exact(stream.frameCount) }
    return exact(stream.packetCount.map { (Int64($0.value), $0.isEstimated) })
  }

  /// Frames of sound; nil if the stream does not state them.
  var frameCount: Int64? { exact(stream.frameCount) }

  private func exact(_ count: (value: Int64, isEstimated: Bool)?) -> Int64? {
    guard let count, !count.isEstimated else { return nil }
    return count.value
  }

  /// The mean size of a packet in bytes; nil before the first.
  var meanPacketSize: Double? {
    if let frameByteCount { return Double(frameByteCount) }
    guard let properties = stream.properties, stream.bitrate.packetCount > 0,
      properties.hertz > 0, properties.framesPerPacket > 0
    else { return nil }
    return stream.bitrate.bitsPerSecond / 8 * Double(properties.framesPerPacket)
      / Double(properties.hertz)
  }

  /// The size in bytes that no packet exceeds; nil if it is not known.
  ///
  /// Sources: ISO/IEC 14496-3 (6144 bits per channel and packet of AAC), 11172-3 and 13818-3.
  var packetSizeBound: Int? {
    if let frameByteCount { return frameByteCount }
    guard let properties = stream.properties, let layer = properties.layers.last else { return nil }
    let bound: Int? =
      switch layer.codec {
      case .aac, .aacHE, .aacHEv2: 768 * max(2, layer.channelCount)
      case .mp1, .mp2, .mp3: 2048
      case .alac, .flac:
        properties.framesPerPacket > 0
          ? 64 + properties.framesPerPacket * layer.channelCount * 4 : nil
      default: nil
      }
    return bound.map { max($0, largestPacket) } ?? (largestPacket > 0 ? largestPacket : nil)
  }
}
