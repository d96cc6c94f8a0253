// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

/// The formats of packets that can be decoded and encoded, and their limits.
package enum CodecFormats {
  /// The formats that are decoded.
  package static let decoded: [AudioFormatID] = [
    kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3, kAudioFormatMPEG4AAC,
    kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatAppleLossless,
    kAudioFormatAppleIMA4, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAC3,
    kAudioFormatEnhancedAC3, kAudioFormatMicrosoftGSM, kAudioFormatiLBC, kAudioFormatAMR,
    kAudioFormatAMR_WB, kAudioFormatFLAC, kAudioFormatOpus,
  ]

  /// The formats that are encoded.
  package static let encoded: [AudioFormatID] = [
    kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4,
    kAudioFormatMPEGLayer3, kAudioFormatULaw, kAudioFormatALaw,
  ]

  /// The format of the file whose packets an encoder makes; nil if the format is not encoded.
  ///
  /// - Parameters:
  ///   - description: the format of the packets.
  ///   - bits: the bits of the samples that are encoded, if a lossless format does not state them.
  /// - Returns: the format.
  package static func encoder(
    _ description: AudioStreamBasicDescription, bits: Int?
  ) -> SoundFileFormat? {
    let (container, encoding): (SoundFileFormat.Container, SoundFileFormat.Encoding)
    switch description.mFormatID {
    case kAudioFormatMPEG4AAC: (container, encoding) = (.m4a, .aac)
    case kAudioFormatAppleLossless:
      switch description.losslessBits ?? ((bits ?? 16) > 16 ? 24 : 16) {
      case 16: (container, encoding) = (.m4a, .integer16)
      case 20, 24: (container, encoding) = (.m4a, .integer24)
      default: return nil
      }
    case kAudioFormatAppleIMA4: (container, encoding) = (.caf, .imaADPCM)
    case kAudioFormatMPEGLayer3: (container, encoding) = (.mp3, .mp3)
    default: return nil
    }
    do { return try SoundFileFormat(container, encoding) } catch { return nil }
  }

  /// Frames of a packet; 0 if that differs or is not known.
  ///
  /// - Parameters:
  ///   - formatID: the format.
  ///   - hertz: frames per second.
  /// - Returns: the number of frames.
  package static func framesPerPacket(_ formatID: AudioFormatID, hertz: Double) -> UInt32 {
    switch formatID {
    case kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw: 1
    case kAudioFormatMPEG4AAC: 1024
    case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2048
    case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD: 512
    case kAudioFormatAppleLossless, kAudioFormatFLAC: 4096
    case kAudioFormatMPEGLayer1: 384
    case kAudioFormatMPEGLayer2: 1152
    case kAudioFormatMPEGLayer3: hertz > 0 && hertz < 32_000 ? 576 : 1152
    case kAudioFormatAppleIMA4: 64
    case kAudioFormatAC3, kAudioFormatEnhancedAC3: 1536
    case kAudioFormatAMR: 160
    case kAudioFormatAMR_WB: 320
    case kAudioFormatMicrosoftGSM: 320
    case kAudioFormatOpus: 960
    default: 0
    }
  }

  /// The number of bytes of the largest packet.
  ///
  /// AAC has at most 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.3); a frame of MP3 has at most 1441
  /// bytes, at 320 kbit/s and 32 kHz; lossless packets can be as large as their samples with a head.
  ///
  /// - Parameter description: the format.
  /// - Returns: the number of bytes.
  package static func largestPacket(_ description: AudioStreamBasicDescription) -> Int {
    if description.mBytesPerPacket > 0 { return Int(description.mBytesPerPacket) }
    let channels = max(1, Int(description.mChannelsPerFrame))
    switch description.mFormatID {
    case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
      return 768 * channels
    case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: return 1728
    case kAudioFormatAC3, kAudioFormatEnhancedAC3: return 4096
    case kAudioFormatAMR, kAudioFormatAMR_WB, kAudioFormatMicrosoftGSM, kAudioFormatiLBC: return 65
    case kAudioFormatOpus: return 1275 * 6 * channels
    default:
      let frames = max(4096, min(Int(description.mFramesPerPacket), 1 << 16))
      return frames * channels * (description.losslessBits ?? 32) / 8 + 64
    }
  }

  /// The rates that an encoder takes; nil for any.
  ///
  /// - Parameter formatID: the format.
  /// - Returns: the rates in ascending order.
  package static func rates(_ formatID: AudioFormatID) -> [Int]? {
    switch formatID {
    case kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3:
      encoder(AudioStreamBasicDescription(formatID), bits: nil)?.rates
    default: nil
    }
  }

  /// The bits per second that an encoder takes, for a number of channels; empty if it does not have
  /// a choice.
  ///
  /// - Parameters:
  ///   - formatID: the format.
  ///   - channelCount: the number of channels.
  /// - Returns: the rates in ascending order.
  package static func bitRates(_ formatID: AudioFormatID, channelCount: Int) -> [Int] {
    switch formatID {
    case kAudioFormatMPEG4AAC:
      [16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 144, 160]
        .map { $0 * 1000 * max(1, channelCount) }
    case kAudioFormatMPEGLayer3:
      [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320].map { $0 * 1000 }
    default: []
    }
  }

  /// The numbers of channels that an encoder takes.
  ///
  /// - Parameter formatID: the format.
  /// - Returns: the numbers in ascending order.
  package static func channelCounts(_ formatID: AudioFormatID) -> [Int] {
    switch formatID {
    case kAudioFormatMPEG4AAC, kAudioFormatAppleLossless: [1, 2, 3, 4, 5, 6, 8]
    case kAudioFormatAppleIMA4, kAudioFormatMPEGLayer3: [1, 2]
    default: []
    }
  }
}

extension AudioStreamBasicDescription {
  /// Creates a description of a format of which nothing else is known.
  package init(_ formatID: AudioFormatID) {
    self.init()
    mFormatID = formatID
  }

  /// The description with the values that follow from the others.
  ///
  /// Frames and bytes of a packet are filled in for formats in which these are constant. PCM must
  /// state its bits and channels; without a size of its frames the samples fill their bytes.
  package var completed: AudioStreamBasicDescription {
    var result = self
    result.mReserved = 0
    if mFramesPerPacket == 0 {
      result.mFramesPerPacket = CodecFormats.framesPerPacket(mFormatID, hertz: mSampleRate)
    }
    switch mFormatID {
    case kAudioFormatLinearPCM:
      let isSeparate = mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
      let (bytes, isTooLarge) = ((mBitsPerChannel & 0xFFFF + 7) / 8).multipliedReportingOverflow(
        by: isSeparate ? 1 : mChannelsPerFrame)
      if mBytesPerFrame == 0, !isTooLarge { result.mBytesPerFrame = bytes }
      if mBytesPerPacket == 0 { result.mBytesPerPacket = result.mBytesPerFrame }
    case kAudioFormatULaw, kAudioFormatALaw:
      result.mBytesPerFrame = mChannelsPerFrame
      (result.mBytesPerPacket, result.mBitsPerChannel) = (mChannelsPerFrame, 8)
    case kAudioFormatAppleIMA4:
      result.mBytesPerPacket = 34 &* mChannelsPerFrame
    default: break
    }
    return result
  }
}
