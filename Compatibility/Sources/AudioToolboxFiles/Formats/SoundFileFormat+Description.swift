// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

extension SoundFileFormat {
  /// The order of bytes that a description of PCM asks for; nil for one byte or other formats.
  ///
  /// - Parameter description: a format.
  /// - Returns: the order of bytes.
  package static func byteOrder(
    _ description: AudioStreamBasicDescription
  ) -> SoundFileWriter.ByteOrder? {
    guard description.mFormatID == kAudioFormatLinearPCM, description.mBitsPerChannel > 8 else {
      return nil
    }
    return description.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 ? .little : .big
  }

  /// The format of a new file; nil if the type cannot hold it.
  ///
  /// WAVE files have the lowest byte first and signed integers except for eight bits; AIFF has the
  /// highest byte first; AIFF-C, CAF and NeXT have either order.
  ///
  /// - Parameters:
  ///   - type: the type of the file.
  ///   - description: the format of its sound; the rate may be 0.
  package init?(_ type: AudioFileTypeID, _ description: AudioStreamBasicDescription) {
    guard let kind = SoundFileKind.of(type), let container = kind.container,
      kind.formatIDs.contains(description.mFormatID),
      let encoding = Self.encoding(description, in: container)
    else { return nil }
    let order = Self.byteOrder(description)
    switch container {
    case .wav, .rf64, .w64: if order == .big { return nil }
    case .aiff: if type == kAudioFileAIFFType, order == .little { return nil }
    default: break
    }
    do {
      try self.init(container, encoding)
    } catch {
      return nil
    }
  }

  private static func encoding(
    _ description: AudioStreamBasicDescription, in container: Container
  ) -> Encoding? {
    switch description.mFormatID {
    case kAudioFormatLinearPCM: linear(description, in: container)
    case kAudioFormatULaw: .muLaw
    case kAudioFormatALaw: .aLaw
    case kAudioFormatMPEG4AAC: .aac
    case kAudioFormatMPEGLayer3: .mp3
    case kAudioFormatAppleIMA4: .imaADPCM
    case kAudioFormatAppleLossless:
      switch (description.losslessBits ?? 16, container) {
      case (16, .caf): .alac16
      case (20...24, .caf): .alac24
      case (16, _): .integer16
      case (20...24, _): .integer24
      default: nil
      }
    case kAudioFormatFLAC:
      switch description.losslessBits ?? 16 {
      case 16: .integer16
      case 20...24: .integer24
      default: nil
      }
    default: nil
    }
  }

  private static func linear(
    _ description: AudioStreamBasicDescription, in container: Container
  ) -> Encoding? {
    let flags = description.mFormatFlags
    let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
    if flags & kAudioFormatFlagIsFloat != 0 {
      return [32: .float32, 64: .float64][description.mBitsPerChannel]
    }
    switch description.mBitsPerChannel {
    case 8: return isSigned == [.wav, .rf64, .w64].contains(container) ? nil : .integer8
    case 16 where isSigned: return .integer16
    case 24 where isSigned: return .integer24
    case 32 where isSigned: return .integer32
    default: return nil
    }
  }

  /// The description of the sound of a file that was written with this format.
  ///
  /// - Parameters:
  ///   - hertz: frames per second.
  ///   - channelCount: the number of samples per frame.
  ///   - byteOrder: the order of bytes; nil for the container's usual one.
  /// - Returns: the description.
  package func description(
    hertz: Int, channelCount: Int, byteOrder: SoundFileWriter.ByteOrder? = nil
  ) -> AudioStreamBasicDescription {
    if let codec {
      let layer = SoundLayer(
        codec: codec, hertz: hertz, channelCount: channelCount,
        framesPerPacket: framesPerPacket)
      return AudioStreamBasicDescription(layer, bits: encoding.integerBits)
    }
    return linear(hertz, channelCount, byteOrder)
  }

  /// The codec of the packets; nil for PCM.
  private var codec: SoundCodec? {
    switch (container, encoding) {
    case (_, .muLaw): .muLaw
    case (_, .aLaw): .aLaw
    case (_, .vorbis): .vorbis
    case (_, .opus): .opus
    case (_, .mp3): .mp3
    case (_, .aac): .aac
    case (_, .alac16), (_, .alac24), (.m4a, _): .alac
    case (_, .imaADPCM): .imaADPCM
    case (.flac, _): .flac
    case (.wv, _): SoundCodec(rawValue: "wavpack")
    default: nil
    }
  }

  private var framesPerPacket: Int {
    switch codec {
    case .aac: 1024
    case .mp3: 1152
    case .alac, .flac: 4096
    case .imaADPCM: 64
    case .muLaw, .aLaw: 1
    default: 0
    }
  }

  private func linear(
    _ hertz: Int, _ channelCount: Int, _ byteOrder: SoundFileWriter.ByteOrder?
  ) -> AudioStreamBasicDescription {
    let isLittle = [.wav, .rf64, .w64].contains(container) || byteOrder == .little
    let bytes = UInt32(encoding.bytes ?? 2)
    var description = AudioStreamBasicDescription()
    description.mSampleRate = Double(hertz)
    description.mFormatID = kAudioFormatLinearPCM
    description.mFormatFlags = kAudioFormatFlagIsPacked
    if !isLittle, bytes > 1 || ![.wav, .rf64, .w64].contains(container) {
      description.mFormatFlags |= kAudioFormatFlagIsBigEndian
    }
    if encoding.isFloatingPoint {
      description.mFormatFlags |= kAudioFormatFlagIsFloat
    } else if bytes > 1 || ![.wav, .rf64, .w64].contains(container) {
      description.mFormatFlags |= kAudioFormatFlagIsSignedInteger
    }
    description.mChannelsPerFrame = UInt32(channelCount)
    description.mBitsPerChannel = 8 * bytes
    description.mBytesPerFrame = bytes * UInt32(channelCount)
    description.mBytesPerPacket = description.mBytesPerFrame
    description.mFramesPerPacket = 1
    return description
  }
}
