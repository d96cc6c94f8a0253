// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import MusicalTime
import Testing

@Suite struct AudioConverterTests {
  private let tones = TestFormats.tones(10_000)

  private func channel(_ number: Int, of count: Int) -> [Float] {
    (0..<count).map { Float(tones[2 * $0 + number]) / 32_768 }
  }

  @Test func `Integers become single precision, whatever the pieces`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats())
    let feed = ConverterFeed(tones, bytesPerPacket: 4)
    feed.limit = 333
    let samples = try converter.drain(feed, Float.self, channels: 2, step: 700)
    #expect(samples.elementsEqual(tones.map { Float($0) / 32_768 }))
  }

  @Test func `The callback's status ends the call, with the packets before it`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats())
    let feed = ConverterFeed(Array(tones.prefix(1000)), bytesPerPacket: 4)
    feed.lastStatus = 1234
    let part = converter.fill(feed, packets: 800, capacity: 6400)
    #expect(part.status == 1234 && part.packets == 500 && part.bytes.count == 4000)
    // The stream has not ended: more input may follow.
    #expect(converter.fill(feed, packets: 8, capacity: 64).status == 1234)
    #expect(feed.callCount == 3)
  }

  @Test func `No packets end the stream until a reset`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats())
    let feed = ConverterFeed(Array(tones.prefix(1000)), bytesPerPacket: 4)
    #expect(converter.fill(feed, packets: 800, capacity: 6400).packets == 500)
    let calls = feed.callCount
    let after = converter.fill(feed, packets: 800, capacity: 6400)
    #expect(after.status == noErr && after.packets == 0 && feed.callCount == calls)
    #expect(AudioConverterReset(converter.ref) == noErr)
    let again = ConverterFeed(tones, bytesPerPacket: 4)
    #expect(converter.fill(again, packets: 800, capacity: 6400).packets == 800)
  }

  @Test func `Input that the callback gives in excess is kept`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats())
    var source = tones
    try source.withUnsafeMutableBytes { bytes in
      var list = AudioBuffer(
        mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress)
      let proc: AudioConverterComplexInputDataProc = { _, count, list, _, data in
        let buffer = data!.assumingMemoryBound(to: AudioBuffer.self)
        count.pointee = buffer.pointee.mDataByteSize / 4
        list.pointee.mBuffers = buffer.pointee
        buffer.pointee.mDataByteSize = 0
        return noErr
      }
      var samples: [Float] = []
      while true {
        var (part, count) = ([Float](repeating: 0, count: 1400), UInt32(700))
        let code = part.withUnsafeMutableBytes { part in
          var output = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
              mNumberChannels: 2, mDataByteSize: UInt32(part.count), mData: part.baseAddress))
          return AudioConverterFillComplexBuffer(converter.ref, proc, &list, &count, &output, nil)
        }
        try #require(code == noErr)
        if count == 0 { break }
        samples += part.prefix(Int(count) * 2)
      }
      #expect(samples.elementsEqual(tones.map { Float($0) / 32_768 }))
    }
  }

  @Test(arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (44_100, 8000)])
  func `A change of rate is that of a sound converter`(from: Double, to: Double) throws {
    let converter = try TestConverter(
      TestFormats.integers(rate: from), TestFormats.floats(rate: to))
    let samples = try converter.drain(
      ConverterFeed(tones, bytesPerPacket: 4), Float.self, channels: 2)
    let stereo = ChannelLayout.usual(channelCount: 2)
    func form(_ rate: Double) -> SoundConverter.Form {
      SoundConverter.Form(rate: SampleRate(hertz: Int(rate))!, layout: stereo)
    }
    let own = try SoundConverter(from: form(from), to: form(to))
    own.push(tones.span)
    own.finish()
    #expect(samples.elementsEqual(own.take(Float.self, frameCount: .max)))
    #expect(samples.count / 2 == Int((10_000 * to / from).rounded()))
  }

  @Test func `Separate buffers and a channel map`() throws {
    let converter = try TestConverter(
      TestFormats.integers(), TestFormats.floats(3, separate: true))
    var map: [Int32] = [1, -1, 0]
    #expect(
      AudioConverterSetProperty(converter.ref, kAudioConverterChannelMap, 12, &map) == noErr)
    #expect(AudioConverterSetProperty(converter.ref, kAudioConverterChannelMap, 8, &map) != noErr)
    map[0] = 2
    #expect(AudioConverterSetProperty(converter.ref, kAudioConverterChannelMap, 12, &map) == -50)
    let list = AudioBufferList.allocate(maximumBuffers: 3)
    var memory = [Float](repeating: 9, count: 3000)
    memory.withUnsafeMutableBytes { bytes in
      for index in 0..<3 {
        list[index] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 4000,
          mData: bytes.baseAddress?.advanced(by: 4000 * index))
      }
      let feed = ConverterFeed(tones, bytesPerPacket: 4)
      var count: UInt32 = 1000
      #expect(
        AudioConverterFillComplexBuffer(
          converter.ref, ConverterFeed.proc, feed.data, &count, list.unsafeMutablePointer, nil)
          == noErr)
      #expect(count == 1000 && list[2].mDataByteSize == 4000)
    }
    free(list.unsafeMutablePointer)
    let (left, right) = (channel(0, of: 1000), channel(1, of: 1000))
    #expect(memory.prefix(1000).elementsEqual(right))
    #expect(memory.dropFirst(1000).prefix(1000).allSatisfy { $0 == 0 })
    #expect(memory.dropFirst(2000).elementsEqual(left))
  }

  @Test func `Buffers are converted without a callback`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats())
    var output = [Float](repeating: 9, count: 200)
    var size: UInt32 = 800
    #expect(AudioConverterConvertBuffer(converter.ref, 400, tones, &size, &output) == noErr)
    #expect(size == 800 && output.elementsEqual(tones.prefix(200).map { Float($0) / 32_768 }))
    size = 796
    #expect(
      AudioConverterConvertBuffer(converter.ref, 400, tones, &size, &output)
        == kAudioConverterErr_InvalidOutputSize)
    #expect(
      AudioConverterConvertBuffer(converter.ref, 399, tones, &size, &output)
        == kAudioConverterErr_InvalidInputSize)
    let other = try TestConverter(TestFormats.integers(), TestFormats.floats(rate: 48_000))
    #expect(
      AudioConverterConvertBuffer(other.ref, 400, tones, &size, &output)
        == kAudioConverterErr_OperationNotSupported)
  }

  @Test func `Handles and formats that cannot be used`() throws {
    var (source, target) = (TestFormats.integers(), TestFormats.packets(kAudioFormatMPEG4AAC))
    var converter: AudioConverterRef?
    #expect(AudioConverterNew(nil, &target, &converter) == -50)
    #expect(AudioConverterNew(&source, &target, nil) == -50)
    target.mFormatID = kAudioFormatMPEG4AAC_ELD
    #expect(
      AudioConverterNew(&source, &target, &converter) == kAudioConverterErr_FormatNotSupported)
    source = AudioStreamBasicDescription()
    #expect(
      AudioConverterNew(&source, &target, &converter) == kAudioConverterErr_FormatNotSupported)
    (source, target) = (TestFormats.integers(rate: 500), TestFormats.floats())
    #expect(
      AudioConverterNew(&source, &target, &converter)
        == kAudioConverterErr_InputSampleRateOutOfRange)
    #expect(converter == nil)
    source = TestFormats.integers()
    #expect(AudioConverterNew(&source, &target, &converter) == noErr)
    #expect(AudioConverterDispose(converter) == noErr)
    #expect(AudioConverterDispose(converter) == -50)
    #expect(AudioConverterReset(converter) == -50)
    #expect(AudioConverterDispose(nil) == -50)
  }

  @Test func `Properties`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats(rate: 48_000))
    #expect(try converter.get(kAudioConverterPropertyMaximumOutputPacketSize, UInt32(0)) == 8)
    #expect(
      try converter.get(
        kAudioConverterCurrentOutputStreamDescription, AudioStreamBasicDescription()
      ).mSampleRate == 48_000)
    #expect(
      try converter.get(kAudioConverterPropertyCalculateInputBufferSize, UInt32(4800 * 8))
        == 4410 * 4)
    var (size, isWritable) = (UInt32(0), DarwinBoolean(false))
    #expect(
      AudioConverterGetPropertyInfo(
        converter.ref, kAudioConverterSampleRateConverterQuality, &size, &isWritable) == noErr)
    #expect(size == 4 && isWritable.boolValue)
    var quality: UInt64 = 0
    #expect(
      AudioConverterSetProperty(
        converter.ref, kAudioConverterSampleRateConverterQuality, 8, &quality)
        == kAudioConverterErr_BadPropertySizeError)
    size = 2
    #expect(
      AudioConverterGetProperty(
        converter.ref, kAudioConverterSampleRateConverterQuality, &size, &quality)
        == kAudioConverterErr_BadPropertySizeError)
    #expect(
      AudioConverterGetProperty(converter.ref, 0x1234, &size, &quality)
        == kAudioConverterErr_PropertyNotSupported)
    #expect(
      AudioConverterGetProperty(converter.ref, kAudioConverterEncodeBitRate, &size, &quality)
        == kAudioConverterErr_PropertyNotSupported)
  }

  @Test func `Conversion in the callback of the same converter is refused`() throws {
    let converter = try TestConverter(TestFormats.integers(), TestFormats.floats())
    let proc: AudioConverterComplexInputDataProc = { converter, count, _, _, data in
      var (number, list) = (UInt32(1), AudioBufferList())
      count.pointee = 0
      let codes = data!.assumingMemoryBound(to: OSStatus.self)
      codes[0] = AudioConverterFillComplexBuffer(
        converter, ConverterFeed.proc, data, &number, &list, nil)
      codes[1] = AudioConverterReset(converter)
      var size: UInt32 = 4
      codes[2] = AudioConverterGetProperty(
        converter, kAudioConverterPrimeMethod, &size, &number)
      return 77
    }
    var codes = [OSStatus](repeating: 0, count: 3)
    var (count, memory) = (UInt32(10), [Float](repeating: 0, count: 20))
    memory.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: 80, mData: memory.baseAddress))
      #expect(
        AudioConverterFillComplexBuffer(converter.ref, proc, &codes, &count, &list, nil) == 77)
    }
    let refused = kAudioConverterErr_OperationNotSupported
    #expect(count == 0 && codes == [refused, refused, noErr])
  }
}
