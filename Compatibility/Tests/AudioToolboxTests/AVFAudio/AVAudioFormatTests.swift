// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite struct AVAudioFormatTests {
  @Test func `A standard format has single precision and a buffer for each channel`() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    #expect(format.isStandard && !format.isInterleaved)
    #expect(format.commonFormat == .pcmFormatFloat32)
    #expect(format.channelCount == 2 && format.sampleRate == 44_100)
    #expect(format.channelLayout == nil && format.magicCookie == nil)
    let description = format.streamDescription.pointee
    #expect(description.mFormatID == kAudioFormatLinearPCM && description.mFormatFlags == 41)
    #expect(description.mBytesPerFrame == 4 && description.mBytesPerPacket == 4)
    #expect(description.mFramesPerPacket == 1 && description.mBitsPerChannel == 32)
  }

  @Test(
    arguments: [
      (.pcmFormatInt16, 2, 12), (.pcmFormatInt32, 4, 12), (.pcmFormatFloat32, 4, 9),
      (.pcmFormatFloat64, 8, 9),
    ] as [(AVAudioCommonFormat, UInt32, UInt32)])
  func `A common format is found again`(
    common: AVAudioCommonFormat, bytes: UInt32, flags: UInt32
  ) throws {
    let format = try #require(
      AVAudioFormat(commonFormat: common, sampleRate: 48_000, channels: 2, interleaved: true))
    #expect(format.commonFormat == common && format.isInterleaved && !format.isStandard)
    #expect(format.streamDescription.pointee.mBytesPerFrame == 2 * bytes)
    #expect(format.streamDescription.pointee.mFormatFlags == flags)
  }

  @Test func `More than two channels need a layout`() throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 0) == nil)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 3) == nil)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
    #expect(format.channelCount == 6 && format.channelLayout == layout)
    var description = format.streamDescription.pointee
    #expect(AVAudioFormat(streamDescription: &description) == nil)
    #expect(AVAudioFormat(streamDescription: &description, channelLayout: layout) == format)
    description.mChannelsPerFrame = 5
    #expect(AVAudioFormat(streamDescription: &description, channelLayout: layout) == nil)
  }

  @Test func `Formats that mean the same are equal`() throws {
    let mono = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 1, interleaved: true)
    let planar = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 1, interleaved: false)
    #expect(mono == planar && mono?.hash == planar?.hash)
    let stereo = AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    #expect(stereo == AVAudioFormat(standardFormatWithSampleRate: 8000, channelLayout: layout))
    let phones = try #require(
      AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_StereoHeadphones))
    #expect(stereo != AVAudioFormat(standardFormatWithSampleRate: 8000, channelLayout: phones))
    #expect(stereo != AVAudioFormat(standardFormatWithSampleRate: 8001, channels: 2))
    let interleaved = AVAudioFormat(
      commonFormat: .pcmFormatFloat32, sampleRate: 8000, channels: 2, interleaved: true)
    #expect(stereo != interleaved)
  }

  @Test func `Settings make a format that gives the same settings`() throws {
    let format = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 22_050.0,
        AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 24, AVLinearPCMIsBigEndianKey: true,
        AVLinearPCMIsFloatKey: false, AVLinearPCMIsNonInterleaved: false,
      ]))
    #expect(format.commonFormat == .otherFormat)
    #expect(format.streamDescription.pointee.mBytesPerFrame == 3)
    #expect(format.streamDescription.pointee.mFormatFlags == 14)
    #expect(AVAudioFormat(settings: format.settings) == format)
    #expect(format.settings[AVSampleRateKey] as? Double == 22_050)
    #expect(format.settings[AVNumberOfChannelsKey] as? Int == 1)
    #expect(format.settings[AVLinearPCMIsBigEndianKey] as? Bool == true)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_7_1_C))
    let surround = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    #expect(AVAudioFormat(settings: surround.settings) == surround)
  }

  @Test func `Settings of an encoder make a format of packets`() throws {
    let format = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: NSNumber(value: 44_100),
        AVNumberOfChannelsKey: UInt32(2), AVEncoderBitRateKey: 128_000,
        AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
      ]))
    let description = format.streamDescription.pointee
    #expect(description.mFormatID == kAudioFormatMPEG4AAC && description.mFramesPerPacket == 1024)
    #expect(description.mBytesPerPacket == 0 && format.commonFormat == .otherFormat)
  }

  @Test(
    arguments: [
      [AVFormatIDKey: "AAC", AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1],
      [AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1],
      [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1],
      [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: -1, AVNumberOfChannelsKey: 1],
      [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double.nan, AVNumberOfChannelsKey: 1,
      ],
      [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 3],
      [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1.5],
      [AVFormatIDKey: -1, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1],
      [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
        AVLinearPCMBitDepthKey: 7,
      ],
      [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 3,
        AVChannelLayoutKey: Data([1, 2, 3]),
      ],
    ] as [[String: any Sendable]])
  func `Settings that cannot be a format give nil`(settings: [String: any Sendable]) {
    #expect(AVAudioFormat(settings: settings) == nil)
  }

  @Test func `A layout keeps its descriptions`() throws {
    var labels = ManagedAudioChannelLayout(maximumDescriptions: 3)
    labels.channelDescriptions[0].mChannelLabel = kAudioChannelLabel_Left
    labels.channelDescriptions[1].mChannelLabel = kAudioChannelLabel_Right
    labels.channelDescriptions[2].mChannelLabel = kAudioChannelLabel_LFEScreen
    let layout = labels.withUnsafePointer { AVAudioChannelLayout(layout: $0) }
    #expect(layout.channelCount == 3)
    #expect(layout.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions)
    let same = AVAudioChannelLayout(layout: layout.layout)
    #expect(layout == same && layout.hash == same.hash)
    let format = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 8000, interleaved: true, channelLayout: layout)
    #expect(AVAudioFormat(settings: format.settings)?.channelLayout == layout)
    #expect(AVAudioChannelLayout(layoutTag: 0) == nil)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
  }
}
