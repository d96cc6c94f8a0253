// SPDX-License-Identifier: Apache-2.0
internal import CoreAudio

/// The fields of a description that decide what it means.
struct EssentialDescription: Equatable {
  let rate: Double
  let id: AudioFormatID
  let flags: AudioFormatFlags
  let packet: [UInt32]
}

extension AudioStreamBasicDescription {
  /// Describes PCM samples of a common format; `otherFormat` gives single precision.
  init(
    _ format: AVAudioCommonFormat, sampleRate: Double, channels: UInt32, interleaved: Bool
  ) {
    let bits: Int =
      switch format {
      case .pcmFormatInt16: 16
      case .pcmFormatFloat64: 64
      default: 32
      }
    let isFloat = format != .pcmFormatInt16 && format != .pcmFormatInt32
    self.init(
      pcmBits: bits, isFloat: isFloat, sampleRate: sampleRate, channels: channels,
      interleaved: interleaved)
  }

  /// Describes PCM samples.
  ///
  /// - Parameters:
  ///   - bits: Bits of a sample, 1…64.
  ///   - isFloat: True for floating point.
  ///   - isBigEndian: True for big-endian samples.
  ///   - sampleRate: Frames per second.
  ///   - channels: The number of channels.
  ///   - interleaved: True if the samples of a frame are in one buffer.
  init(
    pcmBits bits: Int, isFloat: Bool, isBigEndian: Bool = false, sampleRate: Double,
    channels: UInt32, interleaved: Bool
  ) {
    let bytes = UInt32((bits + 7) / 8)
    var flags = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    flags |= bits % 8 == 0 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh
    if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
    if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    let frame = interleaved ? bytes &* channels : bytes
    self.init(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: channels, mBitsPerChannel: UInt32(bits), mReserved: 0)
  }

  /// True for PCM samples.
  var isPCM: Bool { mFormatID == kAudioFormatLinearPCM }

  /// True if each channel has a separate buffer.
  var isPlanar: Bool { isPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }

  /// The number of buffers of a list.
  var bufferCount: Int { isPlanar ? Int(mChannelsPerFrame) : 1 }

  /// Bytes of a sample in memory; 0 if a frame is not a whole number of samples.
  var sampleBytes: Int {
    let samples = isPlanar ? 1 : mChannelsPerFrame
    return samples > 0 && mBytesPerFrame % samples == 0 ? Int(mBytesPerFrame / samples) : 0
  }

  /// The common format that the description is.
  var commonFormat: AVAudioCommonFormat {
    guard isPCM, mFormatFlags & kAudioFormatFlagIsBigEndian == kAudioFormatFlagsNativeEndian,
      sampleBytes * 8 == Int(mBitsPerChannel)
    else { return .otherFormat }
    let isFloat = mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isSigned = mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
    return switch (mBitsPerChannel, isFloat, isSigned) {
    case (32, true, _): .pcmFormatFloat32
    case (64, true, _): .pcmFormatFloat64
    case (16, false, true): .pcmFormatInt16
    case (32, false, true): .pcmFormatInt32
    default: .otherFormat
    }
  }

  /// The fields that decide what the description means.
  var essential: EssentialDescription {
    EssentialDescription(
      rate: mSampleRate, id: mFormatID, flags: essentialFlags,
      packet: [
        mBytesPerPacket, mFramesPerPacket, mBytesPerFrame, mChannelsPerFrame, mBitsPerChannel,
      ])
  }

  private var essentialFlags: AudioFormatFlags {
    guard isPCM else { return mFormatFlags }
    var flags = mFormatFlags & ~(kAudioFormatFlagIsNonMixable | kAudioFormatFlagsAreAllClear)
    if mChannelsPerFrame == 1 { flags &= ~kAudioFormatFlagIsNonInterleaved }
    if sampleBytes == 1 { flags &= ~kAudioFormatFlagIsBigEndian }
    if flags & kAudioFormatFlagIsFloat != 0 { flags &= ~kAudioFormatFlagIsSignedInteger }
    if sampleBytes * 8 == Int(mBitsPerChannel) {
      flags &= ~(kAudioFormatFlagIsPacked | kAudioFormatFlagIsAlignedHigh)
    }
    return flags
  }

  /// The description in a few words.
  var words: String {
    let start = "\(mChannelsPerFrame) ch, \(mSampleRate.formatted) Hz"
    guard isPCM else { return start + ", \(mFormatID.fourLetters)" }
    let isFloat = mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isSigned = mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
    let kind = isFloat ? "Float" : isSigned ? "Int" : "UInt"
    let order = mFormatFlags & kAudioFormatFlagIsBigEndian != 0 ? " big-endian" : ""
    return start + ", \(kind)\(mBitsPerChannel)\(order), "
      + (isPlanar ? "deinterleaved" : "interleaved")
  }
}

extension Double {
  /// The number without a fraction of zero.
  fileprivate var formatted: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension UInt32 {
  /// The number as four letters, or as a number if they cannot be printed.
  var fourLetters: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return "0x" + String(self, radix: 16)
    }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
  }
}
