// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The packets of an encoded file that is being written.
///
/// The file begins with its first packet, so that the magic cookie can be set before, and takes its
/// name when it is closed.
final class PacketTarget: AudioFileContent {
  let type: AudioFileTypeID
  let formats: [AudioStreamBasicDescription]
  private(set) var cookie: [UInt8] = []
  private(set) var byteCount: Int64 = 0
  private(set) var packetCount: Int64 = 0
  private(set) var maximumPacketSize = 0
  private let path: String
  private let container: SoundFileFormat.Container
  private let layer: SoundLayer
  private let mayReplace: Bool
  private var writer: PacketWriter?
  private var priming: Int?
  private var remainder = 0
  private var hasFailed = false
  /// The last packet of ALAC so far: at the end, it decodes to fewer frames.
  private var held: (packet: [UInt8], frameCount: Int?)?

  /// Creates a file that is written at its first packet.
  ///
  /// - Throws: `kAudioFileUnsupportedDataFormatError` for packets that the type cannot store.
  init(
    creating path: String, _ kind: SoundFileKind, _ format: AudioStreamBasicDescription,
    mayReplace: Bool
  ) throws(StatusError) {
    guard let container = kind.container, let layer = format.layer,
      PacketWriter.containers(for: layer.codec).contains(container)
    else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
    (type, formats, self.path) = (kind.type, [format], path)
    (self.container, self.layer, self.mayReplace) = (container, layer, mayReplace)
  }

  var dataOffset: Int64 { 0 }
  var hertz: Int { layer.hertz }
  var layout: ChannelLayout { .usual(channelCount: layer.channelCount) }
  private var frameCount: Int64 { writer?.decodedFrameCount ?? 0 }
  var validFrameCount: Int64 { max(0, frameCount - Int64(priming ?? 0) - Int64(remainder)) }

  var bitRate: Double {
    frameCount > 0 ? Double(byteCount) * 8 * Double(hertz) / Double(frameCount) : 0
  }

  var packetTable: AudioFilePacketTableInfo? {
    AudioFilePacketTableInfo(
      mNumberValidFrames: validFrameCount, mPrimingFrames: Int32(clamping: priming ?? 0),
      mRemainderFrames: Int32(clamping: remainder))
  }

  // Packets can be read after the file is closed.
  func packet(_ number: Int64) -> AudioFilePacket? { nil }
  func packet(ofFrame frame: Int64) -> Int64? { nil }
  func packet(ofByte byte: Int64) -> Int64? { nil }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at byte: Int64) throws(StatusError) -> Int {
    throw StatusError(kAudioFileOperationNotSupportedError)
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, _ packets: AudioFilePackets, at start: Int64
  ) throws(StatusError) {
    guard !hasFailed else { throw StatusError(kAudioFileInvalidFileError) }
    guard start >= 0, start <= packetCount else {
      throw StatusError(kAudioFileInvalidPacketOffsetError)
    }
    guard start == packetCount else { throw StatusError(kAudioFileOperationNotSupportedError) }
    for index in 0..<packets.count {
      let packet = packets[index]
      let range = Int(packet.byte)..<Int(packet.byte) + packet.byteCount
      try write(
        unsafe Array(bytes[range]), frameCount: packet.frameCount > 0 ? packet.frameCount : nil)
    }
  }

  private func write(_ packet: [UInt8], frameCount: Int?) throws(StatusError) {
    do throws(SoundFileError) {
      if layer.codec == .alac {
        _ = try open()
        try writeHeld()
        held = (packet, frameCount)
      } else {
        try open().write(packet, frameCount: frameCount)
      }
    } catch {
      // A writer is not used again after an error.
      if writer != nil { hasFailed = true }
      throw StatusError(error)
    }
    packetCount += 1
    byteCount += Int64(packet.count)
    maximumPacketSize = max(maximumPacketSize, packet.count)
  }

  /// Writes the packet that waits, less a number of frames that it does not decode to.
  private func writeHeld(less count: Int = 0) throws(SoundFileError) {
    guard let held else { return }
    self.held = nil
    let frames = held.frameCount ?? layer.framesPerPacket
    try writer?.write(held.packet, frameCount: count < frames ? frames - count : frames)
  }

  private func open() throws(SoundFileError) -> PacketWriter {
    if let writer { return writer }
    var options = PacketWriter.Options()
    options.mayReplace = mayReplace
    let writer = try PacketWriter(
      path: path, container: container, layer: layer,
      magicCookie: MagicCookie.decoderCookie(cookie, for: layer), primingFrameCount: priming ?? 0,
      options: options)
    self.writer = writer
    return writer
  }

  func isWritable(_ property: AudioFilePropertyID) -> Bool {
    switch property {
    case kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketTableInfo,
      kAudioFilePropertyChannelLayout, kAudioFilePropertyDeferSizeUpdates,
      kAudioFilePropertyReserveDuration:
      true
    default: false
    }
  }

  func set(_ property: AudioFilePropertyID, _ source: PropertySource) throws(StatusError) {
    switch property {
    // Codecs may repeat their cookie at the end.
    case kAudioFilePropertyMagicCookieData: if writer == nil { cookie = source.list() }
    case kAudioFilePropertyPacketTableInfo:
      let info = try source.value(as: AudioFilePacketTableInfo.self)
      guard info.mPrimingFrames >= 0, info.mRemainderFrames >= 0 else { throw .parameter }
      (priming, remainder) = (Int(info.mPrimingFrames), Int(info.mRemainderFrames))
    // The codec's configuration states the channels.
    case kAudioFilePropertyChannelLayout:
      guard try source.channels().labels.count == layer.channelCount else {
        throw StatusError(kAudioFileUnsupportedDataFormatError)
      }
    case kAudioFilePropertyDeferSizeUpdates: _ = try source.value(as: UInt32.self)
    case kAudioFilePropertyReserveDuration: _ = try source.value(as: Double.self)
    default: throw StatusError(kAudioFileUnsupportedPropertyError)
    }
  }

  func close(_ metadata: SoundFileMetadata?) throws(StatusError) {
    guard !hasFailed else { throw StatusError(kAudioFileInvalidFileError) }
    do throws(SoundFileError) {
      // Without packets and a cookie, no file can be written.
      if packetCount == 0, cookie.isEmpty { return }
      let writer = try open()
      if held != nil {
        try writeHeld(less: remainder)
        remainder = 0
      }
      self.writer = nil
      let rest = min(Int64(remainder), max(0, writer.decodedFrameCount - Int64(priming ?? 0)))
      try writer.finish(
        remainderFrameCount: Int(rest), primingFrameCount: priming, metadata: metadata)
    } catch {
      throw StatusError(error)
    }
  }
}
