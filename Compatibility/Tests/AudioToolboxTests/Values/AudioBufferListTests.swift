// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

/// Lists of buffers and packets in memory.
@Suite struct AudioBufferListTests {
  @Test func `Structs have the offsets and sizes of C's`() {
    #expect(MemoryLayout<AudioBuffer>.size == 16)
    #expect(MemoryLayout<AudioBuffer>.offset(of: \.mDataByteSize) == 4)
    #expect(MemoryLayout<AudioBuffer>.offset(of: \.mData) == 8)
    #expect(MemoryLayout<AudioBufferList>.size == 24)
    #expect(MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) == 8)
    #expect(MemoryLayout<AudioStreamPacketDescription>.size == 16)
    #expect(MemoryLayout<AudioStreamPacketDescription>.offset(of: \.mStartOffset) == 0)
    #expect(MemoryLayout<AudioStreamPacketDescription>.offset(of: \.mVariableFramesInPacket) == 8)
    #expect(MemoryLayout<AudioStreamPacketDescription>.offset(of: \.mDataByteSize) == 12)
    typealias Format = AudioStreamBasicDescription
    #expect(MemoryLayout<Format>.size == 40)
    let offsets = [
      MemoryLayout<Format>.offset(of: \.mSampleRate), MemoryLayout<Format>.offset(of: \.mFormatID),
      MemoryLayout<Format>.offset(of: \.mFormatFlags),
      MemoryLayout<Format>.offset(of: \.mBytesPerPacket),
      MemoryLayout<Format>.offset(of: \.mFramesPerPacket),
      MemoryLayout<Format>.offset(of: \.mBytesPerFrame),
      MemoryLayout<Format>.offset(of: \.mChannelsPerFrame),
      MemoryLayout<Format>.offset(of: \.mBitsPerChannel),
      MemoryLayout<Format>.offset(of: \.mReserved),
    ]
    #expect(offsets == [0, 8, 12, 16, 20, 24, 28, 32, 36])
    #expect(MemoryLayout<AudioFormatListItem>.size == 48)
    #expect(MemoryLayout<AudioFormatListItem>.offset(of: \.mChannelLayoutTag) == 40)
    #expect(MemoryLayout<AudioValueRange>.size == 16)
    #expect(MemoryLayout<AudioValueTranslation>.size == 32)
    #expect(MemoryLayout<AudioClassDescription>.size == 12)
    #expect(MemoryLayout<AudioFilePacketTableInfo>.size == 16)
    #expect(MemoryLayout<AudioFramePacketTranslation>.offset(of: \.mFrameOffsetInPacket) == 16)
    #expect(MemoryLayout<AudioFileMarker>.size == 40)
    #expect(MemoryLayout<AudioFileMarkerList>.offset(of: \.mMarkers) == 8)
    #expect(MemoryLayout<AudioFileRegion>.offset(of: \.mMarkers) == 24)
    #expect(MemoryLayout<AudioQueueBuffer>.size == 56)
    #expect(MemoryLayout<AudioQueueBuffer>.offset(of: \.mAudioDataByteSize) == 16)
    #expect(MemoryLayout<AudioQueueBuffer>.offset(of: \.mUserData) == 24)
    #expect(MemoryLayout<AudioQueueBuffer>.offset(of: \.mPacketDescriptionCount) == 48)
  }

  @Test func `An allocated list has empty buffers at C's places`() {
    #expect(AudioBufferList.sizeInBytes(maximumBuffers: 1) == 24)
    #expect(AudioBufferList.sizeInBytes(maximumBuffers: 5) == 88)
    let list = AudioBufferList.allocate(maximumBuffers: 5)
    defer { free(list.unsafeMutablePointer) }
    #expect(list.count == 5 && list.unsafePointer.pointee.mNumberBuffers == 5)
    #expect(list.allSatisfy { $0.mData == nil && $0.mDataByteSize == 0 && $0.mNumberChannels == 0 })
    for index in list.indices {
      list[index] = AudioBuffer(
        mNumberChannels: UInt32(index), mDataByteSize: UInt32(index) * 10,
        mData: UnsafeMutableRawPointer(bitPattern: 0x1000 + index))
    }
    let raw = UnsafeRawPointer(list.unsafePointer)
    for index in 0..<5 {
      #expect(raw.load(fromByteOffset: 8 + 16 * index, as: UInt32.self) == UInt32(index))
      #expect(raw.load(fromByteOffset: 12 + 16 * index, as: UInt32.self) == UInt32(index) * 10)
      #expect(raw.load(fromByteOffset: 16 + 16 * index, as: Int.self) == 0x1000 + index)
    }
    list.count = 2
    #expect(list.map(\.mNumberChannels) == [0, 1])
    #expect(UnsafeMutableAudioBufferListPointer(nil) == nil)
    #expect(list.last?.mDataByteSize == 10 && list.reversed().count == 2)
  }

  @Test func `A list on the stack is a collection of one buffer`() {
    var samples: [Float] = [1, 2, 3, 4]
    samples.withUnsafeMutableBufferPointer { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1, mBuffers: AudioBuffer(memory, numberOfChannels: 2))
      let buffers = UnsafeMutableAudioBufferListPointer(&list)
      #expect(buffers.count == 1 && buffers[0].mDataByteSize == 16)
      #expect(buffers[0].mNumberChannels == 2)
      for buffer in buffers {
        let view = UnsafeMutableBufferPointer<Float>(buffer)
        for index in view.indices { view[index] *= 2 }
        #expect(Array(UnsafeBufferPointer<Float>(buffer)) == [2, 4, 6, 8])
      }
      let empty = AudioBuffer()
      #expect(UnsafeBufferPointer<Int16>(empty).isEmpty)
    }
    #expect(samples == [2, 4, 6, 8])
  }

  @Test func `Names in structs are Core Foundation's strings`() {
    let name = "verse" as CFString
    var marker = AudioFileMarker()
    #expect(marker.mName == nil)
    marker.mName = Unmanaged.passUnretained(name)
    #expect(marker.mName?.takeUnretainedValue() == name)
    let assignment = AudioQueueChannelAssignment(
      mDeviceUID: Unmanaged.passUnretained(name), mChannelNumber: 2)
    #expect(assignment.mDeviceUID?.takeUnretainedValue() == name)
    #expect(NumAudioFileMarkersToNumBytes(3) == 128 && NumBytesToNumAudioFileMarkers(128) == 3)
    #expect(NumBytesToNumAudioFileMarkers(7) == 0)
  }
}
