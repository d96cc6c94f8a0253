// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite struct AVAudioBufferTests {
  private func format(_ common: AVAudioCommonFormat, interleaved: Bool) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(
        commonFormat: common, sampleRate: 44_100, channels: 2, interleaved: interleaved))
  }

  @Test func `The length sets the sizes of the buffers`() throws {
    let format = try format(.pcmFormatFloat32, interleaved: false)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    #expect(buffer.frameLength == 0 && buffer.frameCapacity == 100 && buffer.stride == 1)
    let list = UnsafeMutableAudioBufferListPointer(
      UnsafeMutablePointer(mutating: buffer.audioBufferList))
    #expect(list.map(\.mDataByteSize) == [0, 0] && list.map(\.mNumberChannels) == [1, 1])
    buffer.frameLength = 60
    #expect(list.map(\.mDataByteSize) == [240, 240])
    let whole = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    #expect(whole.map(\.mDataByteSize) == [400, 400])
    #expect(whole.map(\.mData) == list.map(\.mData))
  }

  @Test func `Channels are strided in interleaved buffers`() throws {
    let format = try format(.pcmFormatInt16, interleaved: true)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 3))
    buffer.frameLength = 3
    #expect(buffer.stride == 2 && buffer.floatChannelData == nil && buffer.int32ChannelData == nil)
    let channels = try #require(buffer.int16ChannelData)
    for frame in 0..<3 {
      channels[0][frame * buffer.stride] = Int16(frame)
      channels[1][frame * buffer.stride] = Int16(-frame)
    }
    let samples = UnsafeBufferPointer<Int16>(buffer.audioBufferList.pointee.mBuffers)
    #expect(Array(samples) == [0, 0, 1, -1, 2, -2])
  }

  @Test func `A buffer of a program's memory is released at the end`() throws {
    let format = try format(.pcmFormatInt32, interleaved: true)
    var samples: [Int32] = [1, 2, 3, 4, 5, 6]
    nonisolated(unsafe) var released = 0
    samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      do {
        let buffer = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: &list) { _ in
          released += 1
        }
        #expect(buffer?.frameLength == 3 && buffer?.frameCapacity == 3)
        buffer?.int32ChannelData?[1][2] = 9
        #expect(released == 0)
      }
      #expect(released == 1)
      list.mNumberBuffers = 2
      #expect(AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: &list) == nil)
    }
    #expect(samples == [1, 2, 3, 9, 5, 6])
  }

  @Test func `A copy has other memory`() throws {
    let format = try format(.pcmFormatFloat32, interleaved: false)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8))
    buffer.frameLength = 2
    buffer.floatChannelData?[1][1] = 0.5
    let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
    buffer.floatChannelData?[1][1] = 0.25
    #expect(copy.floatChannelData?[1][1] == 0.5 && copy.frameLength == 2)
    #expect(copy.frameCapacity == 8 && copy.format == format)
  }

  @Test func `A buffer needs PCM`() throws {
    let packets = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ]))
    #expect(AVAudioPCMBuffer(pcmFormat: packets, frameCapacity: 10) == nil)
    var broken = try format(.pcmFormatInt16, interleaved: true).streamDescription.pointee
    broken.mBytesPerFrame = 0
    let empty = try #require(AVAudioFormat(streamDescription: &broken))
    #expect(AVAudioPCMBuffer(pcmFormat: empty, frameCapacity: 10) == nil)
    broken.mBytesPerFrame = .max
    let huge = try #require(AVAudioFormat(streamDescription: &broken))
    #expect(AVAudioPCMBuffer(pcmFormat: huge, frameCapacity: .max) == nil)
  }

  @Test func `A compressed buffer has packets`() throws {
    let format = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ]))
    let buffer = AVAudioCompressedBuffer(
      format: format, packetCapacity: 4, maximumPacketSize: 768)
    #expect(buffer.byteCapacity == 3072 && buffer.byteLength == 0 && buffer.packetCount == 0)
    buffer.data.storeBytes(of: 7, as: UInt8.self)
    buffer.packetDescriptions?[0] = AudioStreamPacketDescription(
      mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 1)
    (buffer.packetCount, buffer.byteLength) = (1, 1)
    #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 1)
    let copy = try #require(buffer.copy() as? AVAudioCompressedBuffer)
    #expect(copy.packetCount == 1 && copy.packetDescriptions?[0].mDataByteSize == 1)
    #expect(copy.data.load(as: UInt8.self) == 7 && copy.data != buffer.data)
    let ima = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatAppleIMA4, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ]))
    let fixed = AVAudioCompressedBuffer(format: ima, packetCapacity: 2)
    #expect(fixed.maximumPacketSize == 68 && fixed.packetDescriptions == nil)
  }
}
