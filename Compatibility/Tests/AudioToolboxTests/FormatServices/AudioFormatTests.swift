// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import AudioToolboxFiles
import Foundation
import Testing

@Suite struct AudioFormatTests {
  /// The value of a property; nil with an error.
  private func get<Specifier: BitwiseCopyable, Value: BitwiseCopyable>(
    _ id: AudioFormatPropertyID, _ specifier: Specifier, _ value: Value
  ) throws -> Value {
    var (specifier, value, size) = (specifier, value, UInt32(MemoryLayout<Value>.size))
    let code = withUnsafeMutableBytes(of: &value) {
      AudioFormatGetProperty(
        id, UInt32(MemoryLayout<Specifier>.size), &specifier, &size, $0.baseAddress)
    }
    guard code == noErr else { throw TestStatus(code: code) }
    return value
  }

  private func list<Specifier: BitwiseCopyable, Element: BitwiseCopyable>(
    _ id: AudioFormatPropertyID, _ specifier: Specifier, _ element: Element
  ) throws -> [Element] {
    var (specifier, size) = (specifier, UInt32(0))
    let count = UInt32(MemoryLayout<Specifier>.size)
    var code = AudioFormatGetPropertyInfo(id, count, &specifier, &size)
    guard code == noErr else { throw TestStatus(code: code) }
    var elements = [Element](
      repeating: element, count: Int(size) / MemoryLayout<Element>.stride)
    code = AudioFormatGetProperty(id, count, &specifier, &size, &elements)
    guard code == noErr else { throw TestStatus(code: code) }
    return elements
  }

  private func text<Specifier: BitwiseCopyable>(
    _ id: AudioFormatPropertyID, _ specifier: Specifier
  ) throws -> String {
    var (specifier, size) = (specifier, UInt32(MemoryLayout<Unmanaged<CFString>?>.size))
    var value: Unmanaged<CFString>?
    let code = AudioFormatGetProperty(
      id, UInt32(MemoryLayout<Specifier>.size), &specifier, &size, &value)
    guard code == noErr, let value else { throw TestStatus(code: code) }
    return value.takeRetainedValue() as String
  }

  @Test func `A description is filled in from its format's id`() throws {
    var description = AudioStreamBasicDescription()
    description.mFormatID = kAudioFormatMPEG4AAC
    description.mChannelsPerFrame = 2
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &description) == noErr)
    #expect(description.mFramesPerPacket == 1024 && description.mChannelsPerFrame == 2)
    let cookie: [UInt8] = [0x2B, 0x92, 0x08, 0x00]
    #expect(
      AudioFormatGetProperty(
        kAudioFormatProperty_FormatInfo, UInt32(cookie.count), cookie, &size, &description)
        == noErr)
    #expect(description.mFormatID == kAudioFormatMPEG4AAC_HE)
    #expect(description.mSampleRate == 44_100 && description.mFramesPerPacket == 2048)
    description.mFormatID = 0x1234
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &description)
        == kAudioFormatUnknownFormatError)
    size = 39
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &description)
        == kAudioFormatBadPropertySizeError)
  }

  @Test func `The formats of packets, and the first that can be played`() throws {
    // HE-AAC at 44,100 Hz with a core of 22,050 Hz.
    let cookie: [UInt8] = [0x2B, 0x92, 0x08, 0x00]
    let items = try cookie.withUnsafeBytes { cookie in
      try list(
        kAudioFormatProperty_FormatList,
        AudioFormatInfo(
          mASBD: TestFormats.packets(kAudioFormatMPEG4AAC_HE), mMagicCookie: cookie.baseAddress,
          mMagicCookieSize: UInt32(cookie.count)), AudioFormatListItem())
    }
    #expect(items.map(\.mASBD.mFormatID) == [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC])
    #expect(items.map(\.mASBD.mSampleRate) == [44_100, 22_050])
    var unknown = items
    unknown[0].mASBD.mFormatID = kAudioFormatQDesign2
    for (list, index) in [(items, 0), (unknown, 1)] {
      var (list, found, size) = (list, UInt32(9), UInt32(4))
      #expect(
        AudioFormatGetProperty(
          kAudioFormatProperty_FirstPlayableFormatFromList,
          UInt32(list.count * MemoryLayout<AudioFormatListItem>.stride), &list, &size, &found)
          == noErr)
      #expect(found == index)
    }
  }

  @Test func `A list is cut off after the last element that fits`() {
    var memory = [UInt32](repeating: 9, count: 8)
    var size = UInt32(11)
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, nil, &size, &memory)
        == noErr)
    #expect(size == 8 && memory[0] == kAudioFormatLinearPCM && memory[2] == 9)
    size = 3
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, nil, &size, &memory)
        == noErr)
    #expect(size == 0)
  }

  @Test func `Kinds of formats`() throws {
    let vbr = kAudioFormatProperty_FormatIsVBR
    #expect(try get(vbr, TestFormats.packets(kAudioFormatMPEG4AAC), UInt32(9)) == 1)
    #expect(try get(vbr, TestFormats.packets(kAudioFormatAppleIMA4), UInt32(9)) == 0)
    #expect(try get(vbr, TestFormats.integers(), UInt32(9)) == 0)
    let framed = kAudioFormatProperty_FormatIsExternallyFramed
    #expect(try get(framed, TestFormats.packets(kAudioFormatAppleLossless), UInt32(9)) == 1)
    #expect(throws: TestStatus.self) { try get(vbr, UInt32(0), UInt32(9)) }
    #expect(
      try text(kAudioFormatProperty_FormatName, TestFormats.integers())
        == "Linear PCM, 16 bit little-endian signed integer")
    #expect(
      try text(kAudioFormatProperty_FormatName, TestFormats.packets(kAudioFormatMPEG4AAC))
        == "MPEG-4 AAC")
  }

  @Test func `Encoders and decoders`() throws {
    let none: UInt32 = 0
    let decoded = try list(kAudioFormatProperty_DecodeFormatIDs, none, none)
    let encoded = try list(kAudioFormatProperty_EncodeFormatIDs, none, none)
    #expect(decoded.contains(kAudioFormatMPEGLayer3) && encoded.contains(kAudioFormatMPEG4AAC))
    let classes = try list(
      kAudioFormatProperty_Encoders, kAudioFormatMPEG4AAC, AudioClassDescription())
    #expect(classes.count == 1 && classes[0].mType == kAudioEncoderComponentType)
    #expect(classes.first?.mSubType == kAudioFormatMPEG4AAC)
    #expect(
      try list(kAudioFormatProperty_Decoders, kAudioFormatQDesign2, AudioClassDescription())
        .isEmpty)
    let rates = try list(
      kAudioFormatProperty_AvailableEncodeSampleRates, kAudioFormatMPEG4AAC, AudioValueRange())
    #expect(rates.contains { $0.mMinimum == 44_100 && $0.mMaximum == 44_100 })
    let bits = try list(
      kAudioFormatProperty_AvailableEncodeBitRates, kAudioFormatMPEG4AAC, AudioValueRange())
    #expect(bits.contains { $0.mMinimum == 64_000 })
  }

  @Test func `Layouts, tags, bitmaps and names`() throws {
    let tag = kAudioChannelLayoutTag_MPEG_5_1_A
    var size: UInt32 = 0
    var specifier = tag
    #expect(
      AudioFormatGetPropertyInfo(
        kAudioFormatProperty_ChannelLayoutForTag, 4, &specifier, &size) == noErr)
    #expect(size == 12 + 6 * 20)
    let layout = AudioChannelLayout.allocate(maximumDescriptions: 6)
    defer { free(layout.unsafeMutablePointer) }
    #expect(
      AudioFormatGetProperty(
        kAudioFormatProperty_ChannelLayoutForTag, 4, &specifier, &size,
        layout.unsafeMutablePointer) == noErr)
    #expect(layout.map(\.mChannelLabel) == [1, 2, 3, 4, 5, 6])
    var (found, four) = (UInt32(0), UInt32(4))
    #expect(
      AudioFormatGetProperty(
        kAudioFormatProperty_TagForChannelLayout, size, layout.unsafePointer, &four, &found)
        == noErr)
    #expect(found == tag)
    #expect(try get(kAudioFormatProperty_BitmapForLayoutTag, tag, UInt32(0)) == 0x3F)
    let tags = try list(kAudioFormatProperty_TagsForNumberOfChannels, UInt32(2), UInt32(0))
    #expect(tags.contains(kAudioChannelLayoutTag_Stereo))
    #expect(try text(kAudioFormatProperty_ChannelName, layout[3]) == "LFE Screen")
    #expect(try text(kAudioFormatProperty_ChannelShortName, layout[4]) == "Ls")
    #expect(throws: TestStatus.self) {
      try get(kAudioFormatProperty_BitmapForLayoutTag, UInt32(0x7777_0003), UInt32(0))
    }
  }

  @Test func `Maps and mixes between layouts`() throws {
    let from = AudioChannelLayout.allocate(maximumDescriptions: 3)
    let to = AudioChannelLayout.allocate(maximumDescriptions: 2)
    defer {
      free(from.unsafeMutablePointer)
      free(to.unsafeMutablePointer)
    }
    for index in 0..<3 { from[index].mChannelLabel = UInt32(index + 1) }
    (to[0].mChannelLabel, to[1].mChannelLabel) = (2, 1)
    let both = (UnsafeRawPointer(from.unsafePointer), UnsafeRawPointer(to.unsafePointer))
    let map = try list(kAudioFormatProperty_ChannelMap, both, Int32(9))
    #expect(map == [1, 0])
    #expect(try get(kAudioFormatProperty_AreChannelLayoutsEquivalent, both, UInt32(9)) == 0)
    let same = (both.0, both.0)
    #expect(try get(kAudioFormatProperty_AreChannelLayoutsEquivalent, same, UInt32(0)) == 1)
    let gains = try list(kAudioFormatProperty_MatrixMixMap, same, Float(9))
    #expect(gains == [1, 0, 0, 0, 1, 0, 0, 0, 1])
  }

  @Test func `Questions that cannot be answered`() {
    var (size, value) = (UInt32(4), UInt32(0))
    #expect(
      AudioFormatGetProperty(0x1234, 0, nil, &size, &value) == kAudioFormatUnsupportedPropertyError)
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_FormatIsVBR, 0, nil, &size, &value)
        == kAudioFormatBadSpecifierSizeError)
    #expect(AudioFormatGetProperty(kAudioFormatProperty_FormatIsVBR, 0, nil, nil, &value) == -50)
    #expect(
      AudioFormatGetPropertyInfo(kAudioFormatProperty_FormatList, 3, &value, &size)
        == kAudioFormatBadSpecifierSizeError)
    var tag = kAudioChannelLayoutTag_Stereo
    size = 4
    #expect(
      AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutForTag, 4, &tag, &size, &value)
        == kAudioFormatBadPropertySizeError)
  }
}
