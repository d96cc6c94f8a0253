// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import AudioToolboxFiles
import MusicalTime
import Testing

@Suite struct FormatMappingTests {
  private static let canonical = AudioStreamBasicDescription(
    mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
      | kAudioFormatFlagIsNonInterleaved, mBytesPerPacket: 4, mFramesPerPacket: 1,
    mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)

  @Test func `A description of PCM and its form are the same`() throws {
    let form = try #require(PCMForm(Self.canonical))
    #expect(form.sampleType == .float32 && !form.isInterleaved && form.bufferCount == 2)
    #expect(form.description.mFormatFlags == Self.canonical.mFormatFlags)
    #expect(form.description.mBytesPerFrame == 4)
  }

  @Test(arguments: [
    (16, 2, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked),
    (
      16, 2,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagIsBigEndian
    ),
    (24, 3, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked),
    (24, 4, kAudioFormatFlagIsSignedInteger),
    (24, 4, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh),
    (20, 3, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsAlignedHigh),
    (8, 1, kAudioFormatFlagIsPacked),
    (32, 4, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | 24 << 7),
    (64, 8, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked),
  ]) func `Samples survive every layout`(bits: Int, bytes: Int, flags: AudioFormatFlags) throws {
    var description = Self.canonical
    description.mFormatFlags = flags
    description.mBitsPerChannel = UInt32(bits)
    description.mBytesPerFrame = UInt32(bytes * 2)
    description.mBytesPerPacket = UInt32(bytes * 2)
    let form = try #require(PCMForm(description))
    let values = [0, 0.5, -0.5, 0.25, -1, 0.75, -0.984375, 0.015625]
    var copy = values
    var memory = [UInt8](repeating: 0xAA, count: bytes * 8)
    form.write(&copy, frameCount: 4, buffer: 0, to: &memory)
    var back = [Double](repeating: 9, count: 8)
    form.read(memory, frameCount: 4, buffer: 0, to: &back)
    #expect(back == values)
  }

  @Test func `The bytes of aligned and fixed-point samples`() throws {
    func bytes(_ value: Double, _ bits: UInt32, _ flags: AudioFormatFlags) throws -> [UInt8] {
      var description = Self.canonical
      description.mFormatFlags = flags
      (description.mChannelsPerFrame, description.mBitsPerChannel) = (1, bits)
      let form = try #require(PCMForm(description))
      var (values, memory) = ([value], [UInt8](repeating: 0, count: 4))
      form.write(&values, frameCount: 1, buffer: 0, to: &memory)
      return memory
    }
    let signed = AudioFormatFlags(kAudioFormatFlagIsSignedInteger)
    #expect(try bytes(1, 24, signed) == [0xFF, 0xFF, 0x7F, 0])
    #expect(try bytes(-1, 24, signed) == [0, 0, 0x80, 0xFF])
    #expect(try bytes(1, 24, signed | kAudioFormatFlagIsAlignedHigh) == [0, 0xFF, 0xFF, 0x7F])
    #expect(try bytes(1, 32, signed | kAudioFormatFlagIsPacked | 24 << 7) == [0, 0, 0, 1])
    #expect(try bytes(-2, 32, signed | kAudioFormatFlagIsPacked | 24 << 7) == [0, 0, 0, 0xFE])
  }

  @Test func `Incomplete descriptions are refused`() {
    var wrong = [AudioStreamBasicDescription](repeating: Self.canonical, count: 9)
    wrong[0].mSampleRate = 0
    wrong[1].mChannelsPerFrame = 0
    wrong[2].mBytesPerFrame = 5
    wrong[3].mBitsPerChannel = 24
    wrong[4].mFramesPerPacket = 2
    wrong[5].mFormatID = kAudioFormatMPEG4AAC
    wrong[6].mSampleRate = .nan
    wrong[7].mChannelsPerFrame = .max
    (wrong[8].mBytesPerFrame, wrong[8].mBytesPerPacket) = (0, 0)
    for description in wrong { #expect(PCMForm(description) == nil) }
    #expect(PCMForm(AudioStreamBasicDescription()) == nil)
  }

  @Test(arguments: [SoundFileFormat.Encoding.muLaw, .aLaw])
  func `G.711 codes are at most half a step off`(encoding: SoundFileFormat.Encoding) throws {
    var description = Self.canonical
    description.mFormatID = encoding == .muLaw ? kAudioFormatULaw : kAudioFormatALaw
    description.mFormatFlags = 0
    (description.mBytesPerFrame, description.mBytesPerPacket) = (1, 1)
    (description.mChannelsPerFrame, description.mBitsPerChannel) = (1, 8)
    let form = try #require(PCMForm(description))
    let codes = (0..<256).map { UInt8($0) }
    var values = [Double](repeating: 0, count: 256)
    form.read(codes, frameCount: 256, buffer: 0, to: &values)
    var (copy, back) = (values, [UInt8](repeating: 0, count: 256))
    form.write(&copy, frameCount: 256, buffer: 0, to: &back)
    // μ-law has two zeros.
    let isSame = zip(codes, back).allSatisfy { $0 == $1 || encoding == .muLaw && $0 == 0x7F }
    #expect(isSame)

    let samples = (-32_635...32_635).map { Int16($0) }
    var (doubles, ours) = (samples.map(\.value), [UInt8](repeating: 0, count: samples.count))
    form.write(&doubles, frameCount: samples.count, buffer: 0, to: &ours)
    let (inverted, finest) = encoding == .muLaw ? (UInt8(0xFF), 8.0) : (0x55, 16)
    let isNear = zip(samples, ours).allSatisfy { sample, code in
      let segment = Int((code ^ inverted) >> 4 & 7)
      let step = finest * Double(1 << (encoding == .muLaw ? segment : max(0, segment - 1)))
      return abs(values[Int(code)] - sample.value) * 32_768 <= step / 2 + 3
    }
    #expect(isNear)
  }

  @Test func `Codecs and ids of formats`() {
    #expect(SoundCodec(formatID: kAudioFormatMPEG4AAC) == .aac)
    #expect(SoundCodec(formatID: kAudioFormatMPEGLayer3) == .mp3)
    #expect(SoundCodec(formatID: kAudioFormatMicrosoftGSM) == .gsm)
    for codec in [
      SoundCodec.aac, .aacHE, .aacHEv2, .alac, .mp1, .mp2, .mp3, .ac3, .enhancedAC3, .linearPCM,
      .muLaw, .aLaw, .imaADPCM, .gsm, .ilbc, .amrNarrow, .amrWide, .flac, .vorbis, .opus,
    ] { #expect(SoundCodec(formatID: codec.formatID) == codec) }
    #expect(SoundCodec.enhancedAC3.formatID == kAudioFormatEnhancedAC3)
    #expect(SoundCodec.alac.formatID == kAudioFormatAppleLossless)
  }

  @Test func `Tags, bitmaps and descriptions state the same channels`() throws {
    let wave = ChannelLabels(.usual(channelCount: 6))
    #expect(wave.tag == kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(wave.bitmap?.rawValue == 0x3F)
    #expect(ChannelLabels(.usual(channelCount: 2)).tag == kAudioChannelLayoutTag_Stereo)
    #expect(ChannelLabels(.usual(channelCount: 1)).tag == kAudioChannelLayoutTag_Mono)
    #expect(ChannelLabels(.usual(channelCount: 8)).tag == kAudioChannelLayoutTag_WAVE_7_1)
    for count in [1, 2, 3, 4, 5, 6, 7, 8] {
      let layout = ChannelLayout.usual(channelCount: count)
      let labels = ChannelLabels(layout)
      #expect(labels.layout == layout)
      for bytes in [labels.bytes, labels.described] {
        #expect(ChannelLabels(bytes, size: bytes.count)?.layout == layout)
        #expect(ChannelLabels(bytes, size: 11) == nil)
      }
    }
    let aac = try #require(ChannelLabels(tag: kAudioChannelLayoutTag_AAC_5_1))
    #expect(
      aac.layout.roles == [.centre, .left, .right, .rearLeft, .rearRight, .lowFrequency])
    #expect(ChannelLabels(tag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
    #expect(ChannelLabels(tag: 0x00FF_FFFF) == nil)
    #expect(ChannelLabels(bitmap: AudioChannelBitmap(rawValue: 0x3F)).labels == wave.labels)
  }

  @Test func `Every tag's number of channels is that of its labels`() {
    for count in 1...16 {
      for tag in LayoutTags.tags(channelCount: count) {
        #expect(LayoutTags.labels(tag)?.count == count)
        let isKnown = LayoutTags.labels(tag)?.contains(kAudioChannelLabel_Unknown) == false
        #expect(isKnown, "\(tag >> 16)")
      }
    }
  }

  @Test func `Formats of files and descriptions`() throws {
    for container in SoundFileFormat.Container.allCases {
      for encoding in container.encodings {
        let format = try SoundFileFormat(container, encoding)
        guard let kind = SoundFileKind.of(format) else { continue }
        let description = format.description(hertz: 48_000, channelCount: 2)
        if container == .flac, encoding == .integer8 { continue }
        #expect(SoundFileFormat(kind.type, description) == format, "\(container) \(encoding)")
      }
    }
    var wrong = Self.canonical
    wrong.mFormatFlags |= kAudioFormatFlagIsBigEndian
    #expect(SoundFileFormat(kAudioFileWAVEType, wrong) == nil)
    #expect(SoundFileFormat(kAudioFileCAFType, wrong) != nil)
    #expect(SoundFileFormat(kAudioFileMP3Type, wrong) == nil)
  }

  @Test func `Extensions and types`() {
    #expect(SoundFileKind.of(extension: "M4A").map(\.type) == [kAudioFileM4AType])
    #expect(SoundFileKind.of(kAudioFileCAFType)?.extensions == ["caf"])
    #expect(SoundFileKind.of(0) == nil)
  }

  @Test func `Magic cookies in both forms`() throws {
    let layer = SoundLayer(codec: .aac, hertz: 44_100, channelCount: 2, framesPerPacket: 1024)
    let config: [UInt8] = [0x12, 0x10]
    let descriptor = MagicCookie.coreAudioCookie(config, for: .aac)
    #expect(descriptor.first == 3)
    #expect(MagicCookie.decoderCookie(descriptor, for: layer) == config)
    #expect(MagicCookie.decoderCookie(config, for: layer) == config)
    #expect(MagicCookie.audioSpecificConfig(descriptor)?.hertz == 44_100)
    let alac = SoundLayer(codec: .alac, hertz: 44_100, channelCount: 2, framesPerPacket: 4096)
    let plain = [UInt8](1...24)
    let boxed = MagicCookie.decoderCookie(plain, for: alac)
    #expect(boxed.count == 36 && MagicCookie.coreAudioCookie(boxed, for: .alac) == plain)
    #expect(MagicCookie.decoderCookie(boxed, for: alac) == boxed)
    #expect(MagicCookie.coreAudioCookie([], for: .aac).isEmpty)
  }
}
