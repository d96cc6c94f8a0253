// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import CoreMedia
import Foundation
import Testing

@Suite struct CMSampleBufferTests {
  private func block(_ bytes: [UInt8]) throws -> CMBlockBuffer {
    var block: CMBlockBuffer?
    let status = CMBlockBufferCreateWithMemoryBlock(
      allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: bytes.count,
      blockAllocator: kCFAllocatorDefault, customBlockSource: nil, offsetToData: 0,
      dataLength: bytes.count, flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
    #expect(status == kCMBlockBufferNoErr)
    let made = try #require(block)
    #expect(
      CMBlockBufferReplaceDataBytes(
        with: bytes, blockBuffer: made, offsetIntoDestination: 0, dataLength: bytes.count) == 0)
    return made
  }

  private func format(
    _ bits: UInt32, _ channels: UInt32, isPlanar: Bool = false
  ) throws -> CMFormatDescription {
    var flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    if isPlanar { flags |= kAudioFormatFlagIsNonInterleaved }
    let frame = bits / 8 * (isPlanar ? 1 : channels)
    var description = AudioStreamBasicDescription(
      mSampleRate: 8000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
    var made: CMAudioFormatDescription?
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &description, layoutSize: 0, layout: nil, magicCookieSize: 0,
        magicCookie: nil, extensions: nil, formatDescriptionOut: &made) == 0)
    return try #require(made)
  }

  @Test func `Bytes of a block are copied, replaced and referred to within their bounds`() throws {
    let block = try block([1, 2, 3, 4, 5])
    var (length, total, pointer) = (0, 0, UnsafeMutablePointer<CChar>?.none)
    #expect(
      CMBlockBufferGetDataPointer(
        block, atOffset: 2, lengthAtOffsetOut: &length, totalLengthOut: &total,
        dataPointerOut: &pointer) == 0)
    #expect(length == 3 && total == 5 && pointer?.pointee == 3)
    var target = [UInt8](repeating: 9, count: 2)
    #expect(
      CMBlockBufferCopyDataBytes(block, atOffset: 3, dataLength: 2, destination: &target) == 0)
    #expect(target == [4, 5])
    for (offset, count) in [(4, 2), (-1, 1), (0, -1), (6, 0), (Int.max, Int.max)] {
      #expect(
        CMBlockBufferCopyDataBytes(block, atOffset: offset, dataLength: count, destination: &target)
          == kCMBlockBufferBadLengthParameterErr)
      #expect(
        CMBlockBufferReplaceDataBytes(
          with: target, blockBuffer: block, offsetIntoDestination: offset, dataLength: count)
          == kCMBlockBufferBadLengthParameterErr)
    }
    #expect(
      CMBlockBufferGetDataPointer(
        block, atOffset: 5, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
        == kCMBlockBufferBadOffsetParameterErr)
    var part: CMBlockBuffer?
    #expect(
      CMBlockBufferCreateWithBufferReference(
        allocator: nil, referenceBuffer: block, offsetToData: 1, dataLength: 2, flags: 0,
        blockBufferOut: &part) == 0)
    #expect(try part?.dataBytes() == Data([2, 3]))
    try block.fillDataBytes(with: 7)
    #expect(try part?.dataBytes() == Data([7, 7]) && block.isContiguous && !block.isEmpty)
  }

  @Test func `Memory of a program is freed once, unless the program keeps it`() throws {
    var memory = Data([1, 2, 3])
    memory.withUnsafeMutableBytes { bytes in
      var block: CMBlockBuffer?
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: bytes.baseAddress, blockLength: 3,
        blockAllocator: kCFAllocatorNull, customBlockSource: nil, offsetToData: 0, dataLength: 3,
        flags: 0, blockBufferOut: &block)
      #expect(block?.dataLength == 3)
      block = nil
    }
    #expect(memory == Data([1, 2, 3]))
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 16)
    var freed = 0
    try {
      let block = try CMBlockBuffer(buffer: bytes) { pointer, count in
        freed += count
        pointer.deallocate()
      }
      #expect(block.dataLength == 4 && freed == 0)
    }()
    #expect(freed == 4)
  }

  @Test func `Frames have times, and lists of buffers point to them`() throws {
    let bytes = (0..<12).map(UInt8.init)
    var buffer: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        allocator: nil, dataBuffer: try block(bytes), formatDescription: try format(16, 2),
        sampleCount: 3, presentationTimeStamp: CMTime(value: 8, timescale: 8000),
        packetDescriptions: nil, sampleBufferOut: &buffer) == 0)
    let made = try #require(buffer)
    #expect(CMSampleBufferGetNumSamples(made) == 3 && CMSampleBufferDataIsReady(made))
    #expect(CMSampleBufferGetDuration(made) == CMTime(value: 3, timescale: 8000))
    #expect(CMSampleBufferGetPresentationTimeStamp(made).seconds == 0.001)
    #expect(try made.sampleTimingInfo(at: 2).presentationTimeStamp.value == 10)
    #expect(made.totalSampleSize == 12 && made.sampleSize(at: 2) == 4)
    #expect(throws: NSError.self) { try made.sampleTimingInfo(at: 3) }
    var (size, list, owner) = (0, AudioBufferList(), CMBlockBuffer?.none)
    #expect(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        made, bufferListSizeNeededOut: &size, bufferListOut: &list,
        bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
        blockBufferMemoryAllocator: nil,
        flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &owner)
        == 0)
    #expect(size == MemoryLayout<AudioBufferList>.size && list.mNumberBuffers == 1)
    #expect(list.mBuffers.mDataByteSize == 12 && list.mBuffers.mNumberChannels == 2)
    #expect(owner != nil)
    CMSampleBufferInvalidate(made)
    #expect(!made.isValid && made.dataBuffer == nil)
    #expect(throws: NSError.self) { try made.withAudioBufferList { _, _ in } }
  }

  @Test func `Planar sound has a buffer for each channel`() throws {
    let bytes = (0..<12).map(UInt8.init)
    let made = try #require(sample(bytes, try format(16, 2, isPlanar: true), 3))
    let starts = try made.withAudioBufferList { list, _ in
      list.map { $0.mData?.load(as: UInt8.self) }
    }
    #expect(starts == [0, 6])
    var list = AudioBufferList()
    let status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      made, bufferListSizeNeededOut: nil, bufferListOut: &list,
      bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
    #expect(status == kCMSampleBufferError_ArrayTooSmall)
    let target = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(target.unsafeMutablePointer) }
    var (left, right) = ([UInt8](repeating: 0, count: 4), [UInt8](repeating: 0, count: 4))
    left.withUnsafeMutableBytes { left in
      right.withUnsafeMutableBytes { right in
        target[0] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 4, mData: left.baseAddress)
        target[1] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 4, mData: right.baseAddress)
        #expect(
          CMSampleBufferCopyPCMDataIntoAudioBufferList(
            made, at: 1, frameCount: 2, into: target.unsafeMutablePointer) == 0)
        #expect(
          CMSampleBufferCopyPCMDataIntoAudioBufferList(
            made, at: 2, frameCount: 2, into: target.unsafeMutablePointer)
            == kCMSampleBufferError_SampleIndexOutOfRange)
      }
    }
    #expect(left == [2, 3, 4, 5] && right == [8, 9, 10, 11])
  }

  private func sample(
    _ bytes: [UInt8], _ format: CMFormatDescription, _ count: Int
  ) throws -> CMSampleBuffer? {
    var buffer: CMSampleBuffer?
    let status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: try block(bytes), formatDescription: format,
      sampleCount: count, presentationTimeStamp: .zero, packetDescriptions: nil,
      sampleBufferOut: &buffer)
    #expect((status == 0) == (buffer != nil))
    return buffer
  }

  @Test func `Samples that are not in the data are refused`() throws {
    let format = try format(16, 2)
    #expect(try sample([1, 2, 3], format, 1) == nil)
    #expect(try sample([1, 2, 3, 4], format, .max) == nil)
    #expect(try sample([1, 2, 3, 4], format, 1) != nil)
    var packets = [
      AudioStreamPacketDescription(
        mStartOffset: 2, mVariableFramesInPacket: 0, mDataByteSize: 3)
    ]
    var buffer: CMSampleBuffer?
    for offset in [Int64(2), -1, .max, .min] {
      packets[0].mStartOffset = offset
      #expect(
        CMAudioSampleBufferCreateReadyWithPacketDescriptions(
          allocator: nil, dataBuffer: try block([1, 2, 3, 4]), formatDescription: format,
          sampleCount: 1, presentationTimeStamp: .zero, packetDescriptions: packets,
          sampleBufferOut: &buffer) == kCMSampleBufferError_InvalidSampleData)
    }
    var sizes = [Int.max, Int.max]
    #expect(
      CMSampleBufferCreateReady(
        allocator: nil, dataBuffer: try block([1]), formatDescription: format, sampleCount: 2,
        sampleTimingEntryCount: 0, sampleTimingArray: nil, sampleSizeEntryCount: 2,
        sampleSizeArray: &sizes, sampleBufferOut: &buffer)
        == kCMSampleBufferError_InvalidSampleData)
    #expect(
      CMSampleBufferCreateReady(
        allocator: nil, dataBuffer: nil, formatDescription: nil, sampleCount: 3,
        sampleTimingEntryCount: 2, sampleTimingArray: nil, sampleSizeEntryCount: 0,
        sampleSizeArray: nil, sampleBufferOut: &buffer) == kCMSampleBufferError_InvalidEntryCount)
    #expect(buffer == nil)
  }

  @Test func `Trims change the output times`() throws {
    let made = try #require(try sample([UInt8](repeating: 0, count: 400), format(16, 2), 100))
    #expect(made.outputDuration == made.duration && made.outputPresentationTimeStamp == .zero)
    for (key, frames) in [
      (kCMSampleBufferAttachmentKey_TrimDurationAtStart, 10),
      (kCMSampleBufferAttachmentKey_TrimDurationAtEnd, 20),
    ] {
      CMSetAttachment(
        made, key: key,
        value: CMTimeCopyAsDictionary(
          CMTime(value: CMTimeValue(frames), timescale: 8000), allocator: nil),
        attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    #expect(made.outputDuration == CMTime(value: 70, timescale: 8000))
    #expect(made.outputPresentationTimeStamp == CMTime(value: 10, timescale: 8000))
    let timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 8000),
      presentationTimeStamp: CMTime(value: 1, timescale: 1))
    let copy = try CMSampleBuffer(copying: made, withNewTiming: [timing])
    #expect(copy.presentationTimeStamp.seconds == 1 && copy.dataBuffer === made.dataBuffer)
  }

  @Test func `Layouts and configurations are part of a description`() throws {
    var description = AudioStreamBasicDescription()
    (description.mFormatID, description.mSampleRate) = (kAudioFormatMPEG4AAC, 44_100)
    description.mChannelsPerFrame = 6
    let layout = ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
    let made = try CMFormatDescription(
      audioStreamBasicDescription: description, layout: layout, magicCookie: Data([1, 2]))
    var size = 0
    #expect(
      CMAudioFormatDescriptionGetChannelLayout(made, sizeOut: &size)?.pointee
        .mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
    let cookie = CMAudioFormatDescriptionGetMagicCookie(made, sizeOut: &size)
    #expect(size == 2 && cookie?.load(fromByteOffset: 1, as: UInt8.self) == 2)
    #expect(made.audioFormatList.count == 1 && made.mediaSubType == .mpeg4AAC)
    let other = try CMFormatDescription(audioStreamBasicDescription: description, layout: layout)
    #expect(!CMFormatDescriptionEqual(made, otherFormatDescription: other))
    var raw = AudioChannelLayout()
    raw.mNumberChannelDescriptions = 1 << 20
    var result: CMFormatDescription?
    #expect(
      CMAudioFormatDescriptionCreate(
        allocator: nil, asbd: &description, layoutSize: MemoryLayout<AudioChannelLayout>.size,
        layout: &raw, magicCookieSize: 0, magicCookie: nil, extensions: nil,
        formatDescriptionOut: &result) == kCMFormatDescriptionError_InvalidParameter)
  }
}
