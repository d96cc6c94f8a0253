// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

extension AudioStreamBasicDescription {
  /// The description of encoded packets.
  ///
  /// Sizes and frame counts are 0 if they differ from packet to packet.
  ///
  /// - Parameters:
  ///   - layer: the packets as they are decoded.
  ///   - bits: the bits of the samples that a lossless codec has encoded, or nil if they are not
  ///     known.
  package init(_ layer: SoundLayer, bits: Int? = nil) {
    self.init()
    mSampleRate = Double(layer.hertz)
    mFormatID = layer.codec.formatID
    mChannelsPerFrame = UInt32(clamping: layer.channelCount)
    mFramesPerPacket = UInt32(clamping: layer.framesPerPacket)
    switch layer.codec {
    case .alac, .flac: mFormatFlags = Self.losslessFlag(bits)
    case .imaADPCM:
      let (size, isTooLarge) = mChannelsPerFrame.multipliedReportingOverflow(by: 34)
      mBytesPerPacket = isTooLarge ? 0 : size
      if mFramesPerPacket == 0 { mFramesPerPacket = 64 }
    case .muLaw, .aLaw:
      (mFramesPerPacket, mBitsPerChannel) = (1, 8)
      (mBytesPerPacket, mBytesPerFrame) = (mChannelsPerFrame, mChannelsPerFrame)
    default: break
    }
  }

  /// The flag of a number of bits that a lossless codec has encoded; 0 if it does not have one.
  package static func losslessFlag(_ bits: Int?) -> AudioFormatFlags {
    switch bits {
    case 16: AudioFormatFlags(kAppleLosslessFormatFlag_16BitSourceData)
    case 20: AudioFormatFlags(kAppleLosslessFormatFlag_20BitSourceData)
    case 24: AudioFormatFlags(kAppleLosslessFormatFlag_24BitSourceData)
    case 32: AudioFormatFlags(kAppleLosslessFormatFlag_32BitSourceData)
    default: 0
    }
  }

  /// The bits that a lossless codec has encoded; nil if the flags do not state them.
  package var losslessBits: Int? {
    switch mFormatFlags {
    case AudioFormatFlags(kAppleLosslessFormatFlag_16BitSourceData): 16
    case AudioFormatFlags(kAppleLosslessFormatFlag_20BitSourceData): 20
    case AudioFormatFlags(kAppleLosslessFormatFlag_24BitSourceData): 24
    case AudioFormatFlags(kAppleLosslessFormatFlag_32BitSourceData): 32
    default: nil
    }
  }

  /// The codec.
  package var codec: SoundCodec { SoundCodec(formatID: mFormatID) }

  /// The packets that the description is of; nil if the rate or the channels are impossible.
  package var layer: SoundLayer? {
    guard mSampleRate.isFinite, (1...0x1p24).contains(mSampleRate.rounded()),
      (1...1024).contains(mChannelsPerFrame)
    else { return nil }
    return SoundLayer(
      codec: codec, hertz: Int(mSampleRate.rounded()), channelCount: Int(mChannelsPerFrame),
      framesPerPacket: Int(mFramesPerPacket))
  }

  /// True if the sizes of packets differ, so that a list of packets describes them.
  package var needsPacketDescriptions: Bool { mBytesPerPacket == 0 || mFramesPerPacket == 0 }
}

extension AudioFilePacketTableInfo {
  /// The frames of a table that are sound, and those before and after them.
  package init(_ table: PacketTable) {
    self.init(
      mNumberValidFrames: table.frameCount,
      mPrimingFrames: Int32(clamping: table.primingFrameCount),
      mRemainderFrames: Int32(clamping: table.remainderFrameCount))
  }
}
