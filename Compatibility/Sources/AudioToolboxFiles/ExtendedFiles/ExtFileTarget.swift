// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The file behind an extended audio file that is written: it receives frames in the file's rate and
/// channels.
protocol ExtFileTarget: AnyObject {
  /// Adds interleaved samples.
  func put<Sample: AudioSample>(_ samples: Span<Sample>) throws(StatusError)
  /// Writes the end.
  func finish() throws(StatusError)
}

/// A sound file writer.
final class WriterTarget: ExtFileTarget {
  private let writer: SoundFileWriter

  init(_ writer: SoundFileWriter) { self.writer = writer }

  func put<Sample: AudioSample>(_ samples: Span<Sample>) throws(StatusError) {
    do throws(SoundFileError) {
      try writer.write(samples)
    } catch {
      throw StatusError(error)
    }
  }

  func finish() throws(StatusError) {
    do throws(SoundFileError) {
      try writer.finish()
    } catch {
      throw StatusError(error)
    }
  }
}

/// A file that the program opened as an `AudioFileID`.
final class AudioFileTarget: ExtFileTarget {
  private let file: AudioFileObject
  private let format: AudioStreamBasicDescription
  private let form: PCMForm?
  private var encoding: ConverterEncoding?
  private var packetCount: Int64

  /// Continues a file behind its packets.
  ///
  /// - Throws: `kAudioFileUnsupportedDataFormatError` for packets that are not encoded here.
  init(
    _ file: AudioFileObject, _ format: AudioStreamBasicDescription, _ settings: ConverterSettings
  ) throws(StatusError) {
    (self.file, self.format, form) = (file, format, PCMForm(format))
    packetCount = try file.with { (content) throws(StatusError) in content.packetCount }
    guard form == nil else { return }
    do throws(SoundFileError) {
      encoding = try ConverterEncoding(format, settings, bits: format.losslessBits ?? 16)
    } catch {
      throw StatusError(error)
    }
    let cookie = MagicCookie.coreAudioCookie(encoding?.magicCookie ?? [], for: format.codec)
    if !cookie.isEmpty { try set(kAudioFilePropertyMagicCookieData, cookie) }
  }

  private func set<Value: BitwiseCopyable>(
    _ property: AudioFilePropertyID, _ list: [Value]
  ) throws(StatusError) {
    let code = unsafe list.withUnsafeBytes { bytes in
      status { () throws(StatusError) in
        let source = try unsafe PropertySource(
          UInt32(bytes.count), bytes.baseAddress, badSize: kAudioFileBadPropertySizeError)
        try file.with { (content) throws(StatusError) in try content.set(property, source) }
      }
    }
    if code != noErr { throw StatusError(code) }
  }

  func put<Sample: AudioSample>(_ samples: Span<Sample>) throws(StatusError) {
    var values = samples.indices.map { samples[$0].value }
    if let form { return try put(&values, form) }
    do throws(SoundFileError) {
      try encoding?.add(values, channelCount: Int(format.mChannelsPerFrame))
    } catch {
      throw StatusError(error)
    }
    try writePackets()
  }

  private func put(_ values: inout [Double], _ form: PCMForm) throws(StatusError) {
    let frames = values.count / form.channelCount
    var bytes = [UInt8](repeating: 0, count: frames * form.bytesPerFrame)
    unsafe values.withUnsafeMutableBufferPointer { values in
      unsafe bytes.withUnsafeMutableBytes { bytes in
        if let base = values.baseAddress, let target = bytes.baseAddress {
          unsafe form.write(base, frameCount: frames, buffer: 0, to: target)
        }
      }
    }
    let packets = AudioFilePackets(size: form.bytesPerFrame, frames, UInt32(bytes.count))
    try write(bytes, packets)
    packetCount += Int64(frames)
  }

  private func write(_ bytes: [UInt8], _ packets: AudioFilePackets) throws(StatusError) {
    let code = unsafe bytes.withUnsafeBytes { bytes in
      status { () throws(StatusError) in
        try file.with { (content) throws(StatusError) -> Void in
          try unsafe content.write(bytes, packets, at: packetCount)
        }
      }
    }
    if code != noErr { throw StatusError(code) }
  }

  private func writePackets() throws(StatusError) {
    while let packet = encoding?.first {
      encoding?.removeFirst()
      let packets = try unsafe AudioFilePackets(nil, 1, UInt32(packet.bytes.count))
      try write(packet.bytes, packets)
      packetCount += 1
    }
  }

  func finish() throws(StatusError) {
    guard encoding != nil else { return }
    do throws(SoundFileError) {
      try encoding?.finish()
    } catch {
      throw StatusError(error)
    }
    try writePackets()
    guard let info = encoding?.primeInfo, let framesPerPacket = encoding?.framesPerPacket else {
      return
    }
    let all = packetCount * Int64(framesPerPacket)
    let table = AudioFilePacketTableInfo(
      mNumberValidFrames: max(0, all - Int64(info.leadingFrames) - Int64(info.trailingFrames)),
      mPrimingFrames: Int32(clamping: info.leadingFrames),
      mRemainderFrames: Int32(clamping: info.trailingFrames))
    try set(kAudioFilePropertyPacketTableInfo, [table])
  }
}
