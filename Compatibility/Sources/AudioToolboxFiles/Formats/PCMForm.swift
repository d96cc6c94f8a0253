// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio
package import MusicalTime

/// The layout of samples that an `AudioStreamBasicDescription` of PCM, μ-law or A-law describes.
package struct PCMForm: Hashable, Sendable {
  /// The layout of one sample.
  package var layout: PCMLayout
  /// Frames per second.
  package var rate: SampleRate
  /// The number of samples per frame: 1…1024.
  package var channelCount: Int
  /// False if each channel has a separate buffer.
  package var isInterleaved: Bool
  /// True if the significant bits are the lower ones of a sample that has more.
  package var isAlignedLow = false
  /// The bits behind the point of fixed-point numbers; 0 for integers.
  package var fractionBits = 0

  /// Creates a form of native floating point or integers that fill their bytes.
  ///
  /// - Parameters:
  ///   - type: the type of a sample.
  ///   - rate: frames per second.
  ///   - channelCount: the number of samples per frame.
  ///   - isInterleaved: false if each channel has a separate buffer.
  package init(_ type: SampleType, rate: SampleRate, channelCount: Int, isInterleaved: Bool = true)
  {
    let (numbers, bytes): (PCMLayout.Numbers, Int) =
      switch type {
      case .integer16: (.signed, 2)
      case .integer32: (.signed, 4)
      case .float32: (.floating, 4)
      case .float64: (.floating, 8)
      }
    layout = PCMLayout(
      numbers: numbers, bits: 8 * bytes, byteCount: bytes, isLittleEndian: Self.isNativeLittle)
    (self.rate, self.channelCount, self.isInterleaved) = (rate, channelCount, isInterleaved)
  }

  /// Reads a description; nil if it is incomplete, contradicts itself, or is of encoded packets.
  ///
  /// Integers have 8…32 bits in up to four bytes; floating point has 32 or 64 bits.
  ///
  /// - Parameter description: the description.
  package init?(_ description: AudioStreamBasicDescription) {
    let codec = SoundCodec(formatID: description.mFormatID)
    guard codec.isSampled, let rate = SampleRate(description: description.mSampleRate),
      (1...1024).contains(description.mChannelsPerFrame), description.mFramesPerPacket == 1,
      description.mBytesPerPacket == description.mBytesPerFrame
    else { return nil }
    self.rate = rate
    channelCount = Int(description.mChannelsPerFrame)
    let flags = codec == .linearPCM ? description.mFormatFlags : 0
    isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
    let parts = isInterleaved ? channelCount : 1
    let bytes = Int(description.mBytesPerFrame) / parts
    guard bytes * parts == Int(description.mBytesPerFrame), (1...8).contains(bytes) else {
      return nil
    }
    let bits = codec == .linearPCM ? Int(description.mBitsPerChannel) : 8
    guard (1...8 * bytes).contains(bits) else { return nil }
    layout = PCMLayout(
      numbers: Self.numbers(codec, flags), bits: bits, byteCount: bytes,
      isLittleEndian: flags & kAudioFormatFlagIsBigEndian == 0)
    guard readAlignment(flags), layout.isConvertible else { return nil }
  }

  private static func numbers(_ codec: SoundCodec, _ flags: AudioFormatFlags) -> PCMLayout.Numbers {
    switch codec {
    case .muLaw: .muLaw
    case .aLaw: .aLaw
    case _ where flags & kAudioFormatFlagIsFloat != 0: .floating
    default: flags & kAudioFormatFlagIsSignedInteger != 0 ? .signed : .unsigned
    }
  }

  /// Reads which bits are significant; false if the flags contradict the sizes.
  private mutating func readAlignment(_ flags: AudioFormatFlags) -> Bool {
    let fraction = Int(
      (flags & kLinearPCMFormatFlagsSampleFractionMask)
        >> AudioFormatFlags(kLinearPCMFormatFlagsSampleFractionShift))
    let isFull = layout.bits == 8 * layout.byteCount
    guard fraction == 0 || layout.numbers == .signed && isFull && fraction < layout.bits else {
      return false
    }
    fractionBits = fraction
    isAlignedLow = !isFull && flags & kAudioFormatFlagIsAlignedHigh == 0
    // Packed samples use all of their bytes. Bits that do not fill these are the upper ones.
    if flags & kAudioFormatFlagIsPacked != 0, (layout.bits + 7) / 8 == layout.byteCount {
      isAlignedLow = false
    } else if flags & kAudioFormatFlagIsPacked != 0, !isFull {
      return false
    }
    return isFull || layout.numbers == .signed || layout.numbers == .unsigned && !isAlignedLow
  }

  private static var isNativeLittle: Bool { 1.littleEndian == 1 }

  /// The number of bytes of a frame in one buffer.
  package var bytesPerFrame: Int { layout.byteCount * (isInterleaved ? channelCount : 1) }

  /// The number of buffers of a list.
  package var bufferCount: Int { isInterleaved ? 1 : channelCount }

  /// The type of a sample if it is native and fills its bytes; nil for other layouts.
  package var sampleType: SampleType? {
    guard layout.isLittleEndian == Self.isNativeLittle, fractionBits == 0,
      layout.bits == 8 * layout.byteCount
    else { return nil }
    return switch (layout.numbers, layout.byteCount) {
    case (.signed, 2): .integer16
    case (.signed, 4): .integer32
    case (.floating, 4): .float32
    case (.floating, 8): .float64
    default: nil
    }
  }

  /// The form as a description.
  package var description: AudioStreamBasicDescription {
    var description = AudioStreamBasicDescription()
    description.mSampleRate = Double(rate.hertz)
    description.mChannelsPerFrame = UInt32(channelCount)
    description.mFramesPerPacket = 1
    description.mBytesPerFrame = UInt32(bytesPerFrame)
    description.mBytesPerPacket = UInt32(bytesPerFrame)
    switch layout.numbers {
    case .muLaw: description.mFormatID = kAudioFormatULaw
    case .aLaw: description.mFormatID = kAudioFormatALaw
    default:
      description.mFormatID = kAudioFormatLinearPCM
      description.mFormatFlags = flags
    }
    description.mBitsPerChannel = UInt32(layout.bits)
    return description
  }

  private var flags: AudioFormatFlags {
    var flags: AudioFormatFlags = 0
    if layout.numbers == .floating { flags |= kAudioFormatFlagIsFloat }
    if layout.numbers == .signed { flags |= kAudioFormatFlagIsSignedInteger }
    if !layout.isLittleEndian { flags |= kAudioFormatFlagIsBigEndian }
    if !isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    if (layout.bits + 7) / 8 == layout.byteCount, !isAlignedLow {
      flags |= kAudioFormatFlagIsPacked
    } else if !isAlignedLow {
      flags |= kAudioFormatFlagIsAlignedHigh
    }
    flags |=
      AudioFormatFlags(fractionBits) << AudioFormatFlags(kLinearPCMFormatFlagsSampleFractionShift)
    return flags
  }
}

extension SampleRate {
  /// Creates the rate of a description; nil if it is not 1…4,000,000.
  ///
  /// - Parameter rate: frames per second, rounded to an integer.
  package init?(description rate: Double) {
    guard rate.isFinite, rate.magnitude < 0x1p24 else { return nil }
    self.init(hertz: Int(rate.rounded()))
  }
}
