// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

/// Labels, bitmaps, tags and layouts of channels.
@Suite struct ChannelLayoutTests {
  @Test func `Structs have the offsets and sizes of C's`() {
    #expect(MemoryLayout<AudioChannelDescription>.size == 20)
    #expect(MemoryLayout<AudioChannelDescription>.offset(of: \.mCoordinates) == 8)
    #expect(MemoryLayout<AudioChannelLayout>.size == 32)
    #expect(MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelBitmap) == 4)
    #expect(MemoryLayout<AudioChannelLayout>.offset(of: \.mNumberChannelDescriptions) == 8)
    #expect(MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) == 12)
    #expect(AudioChannelLayout.sizeInBytes(maximumDescriptions: 1) == 32)
    #expect(AudioChannelLayout.sizeInBytes(maximumDescriptions: 6) == 132)
  }

  @Test func `A tag contains the number of its channels`() {
    // Numbers and channels as the headers of Apple's systems give them.
    let tags: [(AudioChannelLayoutTag, UInt32, UInt32)] = [
      (kAudioChannelLayoutTag_Mono, 100, 1), (kAudioChannelLayoutTag_Stereo, 101, 2),
      (kAudioChannelLayoutTag_StereoHeadphones, 102, 2), (kAudioChannelLayoutTag_Binaural, 106, 2),
      (kAudioChannelLayoutTag_Ambisonic_B_Format, 107, 4),
      (kAudioChannelLayoutTag_Quadraphonic, 108, 4), (kAudioChannelLayoutTag_Octagonal, 111, 8),
      (kAudioChannelLayoutTag_MPEG_3_0_A, 113, 3), (kAudioChannelLayoutTag_MPEG_5_1_A, 121, 6),
      (kAudioChannelLayoutTag_MPEG_5_1_D, 124, 6), (kAudioChannelLayoutTag_MPEG_6_1_A, 125, 7),
      (kAudioChannelLayoutTag_MPEG_7_1_C, 128, 8), (kAudioChannelLayoutTag_ITU_2_1, 131, 3),
      (kAudioChannelLayoutTag_DVD_18, 138, 5), (kAudioChannelLayoutTag_AudioUnit_7_0_Front, 148, 7),
      (kAudioChannelLayoutTag_AAC_6_1, 142, 7), (kAudioChannelLayoutTag_TMH_10_2_full, 146, 21),
      (kAudioChannelLayoutTag_EAC3_7_1_H, 167, 8), (kAudioChannelLayoutTag_DTS_8_1_B, 181, 9),
      (kAudioChannelLayoutTag_WAVE_7_1, 189, 8), (kAudioChannelLayoutTag_Atmos_9_1_6, 193, 16),
    ]
    for (tag, number, channels) in tags {
      #expect(tag == number << 16 | channels)
      #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == channels)
    }
    let equal: [(AudioChannelLayoutTag, AudioChannelLayoutTag)] = [
      (kAudioChannelLayoutTag_AudioUnit_5_1, kAudioChannelLayoutTag_MPEG_5_1_A),
      (kAudioChannelLayoutTag_AudioUnit_5_0, kAudioChannelLayoutTag_MPEG_5_0_B),
      (kAudioChannelLayoutTag_AAC_5_1, kAudioChannelLayoutTag_MPEG_5_1_D),
      (kAudioChannelLayoutTag_ITU_3_4_1, kAudioChannelLayoutTag_MPEG_7_1_C),
      (kAudioChannelLayoutTag_DVD_20, kAudioChannelLayoutTag_MPEG_5_1_B),
      (kAudioChannelLayoutTag_WAVE_2_1, kAudioChannelLayoutTag_DVD_4),
    ]
    for (tag, other) in equal { #expect(tag == other) }
    #expect(kAudioChannelLayoutTag_UseChannelDescriptions == 0)
    #expect(kAudioChannelLayoutTag_UseChannelBitmap == 0x1_0000)
    #expect(kAudioChannelLayoutTag_DiscreteInOrder | 5 == 147 << 16 | 5)
    #expect(kAudioChannelLayoutTag_Unknown == 0xFFFF_0000)
  }

  @Test func `A bit of a bitmap is its label minus one`() {
    let bits: [(AudioChannelBitmap, AudioChannelLabel)] = [
      (.bit_Left, kAudioChannelLabel_Left), (.bit_Right, kAudioChannelLabel_Right),
      (.bit_Center, kAudioChannelLabel_Center), (.bit_LFEScreen, kAudioChannelLabel_LFEScreen),
      (.bit_LeftSurround, kAudioChannelLabel_LeftSurround),
      (.bit_RightSurround, kAudioChannelLabel_RightSurround),
      (.bit_CenterSurround, kAudioChannelLabel_CenterSurround),
      (.bit_RightSurroundDirect, kAudioChannelLabel_RightSurroundDirect),
      (.bit_VerticalHeightLeft, kAudioChannelLabel_VerticalHeightLeft),
      (.bit_TopBackRight, kAudioChannelLabel_TopBackRight),
    ]
    for (bit, label) in bits { #expect(bit.rawValue == 1 << (label - 1)) }
    #expect(AudioChannelBitmap.bit_LeftTopMiddle.rawValue == 1 << 21)
    #expect(AudioChannelFlags.sphericalCoordinates.rawValue == 2)
    #expect(AudioChannelFlags.meters.rawValue == 4 && AudioChannelFlags.allOff.rawValue == 0)
    #expect(kAudioChannelLabel_Discrete_65535 == 0x1_FFFF && kAudioChannelLabel_Unknown == .max)
    #expect(kAudioChannelLabel_Mono == 42 && kAudioChannelLabel_HOA_ACN_3 == 0x2_0003)
  }

  @Test func `An allocated layout has descriptions of unknown channels at C's places`() {
    let layout = AudioChannelLayout.allocate(maximumDescriptions: 6)
    defer { free(layout.unsafeMutablePointer) }
    #expect(layout.count == 6 && layout.sizeInBytes == 132)
    #expect(layout.unsafePointer.pointee.mChannelLayoutTag == 0)
    #expect(layout.allSatisfy { $0.mChannelLabel == kAudioChannelLabel_Unknown })
    for index in layout.indices { layout[index].mChannelLabel = UInt32(index) + 1 }
    let raw = UnsafeRawPointer(layout.unsafePointer)
    let labels = (0..<6).map { raw.load(fromByteOffset: 12 + 20 * $0, as: UInt32.self) }
    #expect(labels == [1, 2, 3, 4, 5, 6])
    let view = AudioChannelLayout.UnsafePointer(layout.unsafePointer)
    #expect(view.map(\.mChannelLabel) == labels && view.sizeInBytes == 132)
    #expect(AudioChannelLayout.UnsafePointer(nil) == nil)
    #expect(AudioChannelLayout.UnsafeMutablePointer(nil) == nil)
  }

  @Test func `Managed layouts are values`() {
    var surround = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(surround.numberOfChannels == 6 && surround.channelDescriptions.isEmpty)
    let copy = surround
    surround.tag = kAudioChannelLayoutTag_UseChannelBitmap
    surround.bitmap = [.bit_Left, .bit_Right, .bit_Center]
    #expect(surround.numberOfChannels == 3 && copy.numberOfChannels == 6 && surround != copy)
    let labels = [kAudioChannelLabel_Left, kAudioChannelLabel_Right]
    let descriptions = labels.map {
      AudioChannelDescription(mChannelLabel: $0, mChannelFlags: [], mCoordinates: (0, 0, 0))
    }
    var described = ManagedAudioChannelLayout(channelDescriptions: descriptions)
    #expect(described.tag == kAudioChannelLayoutTag_UseChannelDescriptions)
    #expect(described.numberOfChannels == 2 && Array(described.channelDescriptions) == descriptions)
    let kept = described
    described.channelDescriptions[1].mChannelLabel = kAudioChannelLabel_Center
    #expect(kept.channelDescriptions[1].mChannelLabel == kAudioChannelLabel_Right)
    #expect(described.channelDescriptions[1].mChannelLabel == kAudioChannelLabel_Center)
    described.setAllToUnknown()
    #expect(described.channelDescriptions.allSatisfy { $0.mChannelLabel == .max })
    described.withUnsafeMutablePointer { $0.pointee.mNumberChannelDescriptions = 1 }
    #expect(described.withUnsafePointer { $0.pointee.mNumberChannelDescriptions } == 1)
    #expect(ManagedAudioChannelLayout(maximumDescriptions: 3).sizeInBytes == 72)
  }

  @Test func `A managed layout frees what it was given, once`() {
    let freed = Freed()
    do {
      let layout = AudioChannelLayout.allocate(maximumDescriptions: 2)
      let managed = ManagedAudioChannelLayout(
        audioChannelLayoutPointer: AudioChannelLayout.UnsafePointer(layout.unsafePointer),
        deallocator: { pointer in
          freed.count += 1
          free(UnsafeMutablePointer(mutating: pointer.unsafePointer))
        })
      let copy = managed
      #expect(copy.channelDescriptions.count == 2 && freed.count == 0)
    }
    #expect(freed.count == 1)
  }

  private final class Freed {
    var count = 0
  }
}
