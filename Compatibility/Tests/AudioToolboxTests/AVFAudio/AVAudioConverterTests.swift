// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioFiles
import Foundation
import MusicalTime
import Testing

@Suite struct AVAudioConverterTests {
  private func pcm(
    _ common: AVAudioCommonFormat = .pcmFormatFloat32, _ rate: Double = 44_100,
    _ channels: UInt32 = 2, interleaved: Bool = false
  ) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(
        commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved))
  }

  private func sound(_ frames: Int, _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(frames)))
    buffer.frameLength = UInt32(frames)
    let channels = try #require(buffer.floatChannelData)
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<frames {
        channels[channel][frame * buffer.stride] =
          Float(sin(Double(frame * (channel + 1)) / 31)) / 2
      }
    }
    return buffer
  }

  /// Converts a whole buffer in pieces of the output.
  private func convert(
    _ converter: AVAudioConverter, _ input: AVAudioPCMBuffer, piece: UInt32
  ) throws -> [AVAudioPCMBuffer] {
    var isGiven = false
    var results: [AVAudioPCMBuffer] = []
    while true {
      let output = try #require(
        AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: piece))
      var error: NSError?
      let status = converter.convert(to: output, error: &error) { _, status in
        status.pointee = isGiven ? .endOfStream : .haveData
        defer { isGiven = true }
        return isGiven ? nil : input
      }
      #expect(status != .error && error == nil)
      if status == .endOfStream { return results }
      try #require(output.frameLength > 0)
      results.append(output)
    }
  }

  @Test func `Samples of another type are those of SoundConverter`() throws {
    let format = try pcm()
    let input = try sound(1000, format)
    let target = try pcm(.pcmFormatInt16, interleaved: true)
    let converter = try #require(AVAudioConverter(from: format, to: target))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 1000))
    try converter.convert(to: output, from: input)
    #expect(output.frameLength == 1000)
    let isEqual = (0..<2000).allSatisfy { index in
      let value = Double(input.floatChannelData?[index % 2][index / 2] ?? .nan)
      return output.int16ChannelData?[0][index] == Int16.nearest(to: value)
    }
    #expect(isEqual)
  }

  @Test(arguments: [48_000.0, 22_050, 44_100])
  func `Another rate gives the samples of SoundConverter`(rate: Double) throws {
    let format = try pcm()
    let input = try sound(10_000, format)
    let target = try pcm(.pcmFormatFloat32, rate)
    let converter = try #require(AVAudioConverter(from: format, to: target))
    let pieces = try convert(converter, input, piece: 777)
    let count = pieces.reduce(0) { $0 + Int($1.frameLength) }
    let layout = ChannelLayout([.left, .right])
    let own = try SoundConverter(
      from: SoundConverter.Form(
        rate: .hertz44100, layout: layout, isInterleaved: false),
      to: SoundConverter.Form(rate: #require(SampleRate(hertz: Int(rate))), layout: layout))
    let samples = (0..<20_000).map { input.floatChannelData?[$0 / 10_000][$0 % 10_000] ?? .nan }
    own.push(samples.span)
    own.finish()
    let expected = own.take(Float.self, frameCount: 1 << 20)
    #expect(count == expected.count / 2)
    let found = pieces.flatMap { piece in
      (0..<Int(piece.frameLength) * 2).map { piece.floatChannelData?[$0 % 2][$0 / 2] ?? .nan }
    }
    #expect(found.elementsEqual(expected))
  }

  @Test func `Input that runs dry is reported, and conversion goes on`() throws {
    let format = try pcm()
    let target = try pcm(.pcmFormatFloat32, 44_100, 2, interleaved: true)
    let converter = try #require(AVAudioConverter(from: format, to: target))
    let input = try sound(100, format)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 150))
    var given = 0
    let block: AVAudioConverterInputBlock = { _, status in
      given += 1
      status.pointee = given % 2 == 1 ? .haveData : .noDataNow
      return given % 2 == 1 ? input : nil
    }
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .inputRanDry)
    #expect(output.frameLength == 100)
    #expect(converter.convert(to: output, error: nil, withInputFrom: block) == .inputRanDry)
    #expect(output.frameLength == 100)
    given = 0
    let small = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 60))
    #expect(converter.convert(to: small, error: nil, withInputFrom: block) == .haveData)
    #expect(small.frameLength == 60)
    #expect(converter.convert(to: small, error: nil, withInputFrom: block) == .inputRanDry)
    #expect(small.frameLength == 40)
  }

  @Test func `Fewer channels are left out, or mixed`() throws {
    let format = try pcm()
    let input = try sound(50, format)
    let mono = try pcm(.pcmFormatFloat32, 44_100, 1)
    let converter = try #require(AVAudioConverter(from: format, to: mono))
    #expect(!converter.downmix && converter.channelMap == [0])
    let output = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 50))
    try converter.convert(to: output, from: input)
    #expect(output.floatChannelData?[0][7] == input.floatChannelData?[0][7])
    converter.channelMap = [1]
    try converter.convert(to: output, from: input)
    #expect(output.floatChannelData?[0][7] == input.floatChannelData?[1][7])
    let mixer = try #require(AVAudioConverter(from: format, to: mono))
    mixer.downmix = true
    try mixer.convert(to: output, from: input)
    let mean = (0...1).reduce(0) { $0 + Double(input.floatChannelData?[$1][7] ?? .nan) } / 2
    #expect(output.floatChannelData?[0][7] == Float(mean))
  }

  @Test func `Properties keep their values`() throws {
    let converter = try #require(
      AVAudioConverter(from: pcm(), to: pcm(.pcmFormatInt16, 48_000)))
    #expect(converter.primeMethod == .normal && !converter.dither)
    converter.primeMethod = .pre
    converter.sampleRateConverterQuality = AVAudioQuality.medium.rawValue
    converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
    converter.dither = true
    converter.downmix = true
    #expect(converter.primeMethod == .pre && converter.dither && converter.downmix)
    #expect(converter.sampleRateConverterQuality == 0x40)
    #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Mastering)
    #expect(converter.bitRate == 0 && converter.availableEncodeBitRates == nil)
    #expect(converter.magicCookie == nil)
    converter.channelMap = [5, 5]
    #expect(converter.channelMap == [0, 1])
  }

  @Test func `Errors are reported`() throws {
    let format = try pcm()
    let target = try pcm(.pcmFormatInt16)
    let converter = try #require(AVAudioConverter(from: format, to: target))
    let input = try sound(10, format)
    let short = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 9))
    #expect(throws: NSError.self) { try converter.convert(to: short, from: input) }
    #expect(throws: NSError.self) { try converter.convert(to: input, from: input) }
    var error: NSError?
    let status = converter.convert(to: input, error: &error) { _, _ in nil }
    #expect(status == .error && error?.code == -50)
    let wrong = converter.convert(to: short, error: &error) { _, status in
      status.pointee = .haveData
      return short
    }
    #expect(wrong == .error && short.frameLength == 0)
    let rate = try pcm(.pcmFormatInt16, 48_000)
    let change = try #require(AVAudioConverter(from: format, to: rate))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: rate, frameCapacity: 20))
    #expect(throws: NSError.self) { try change.convert(to: output, from: input) }
    let endless = try pcm(.pcmFormatFloat32, 1e9)
    #expect(AVAudioConverter(from: format, to: endless) == nil)
  }

  @Test func `Sound is encoded to AAC and decoded again`() throws {
    let format = try pcm()
    let packets = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      ]))
    guard let encoder = AVAudioConverter(from: format, to: packets) else {
      try #require(throws: SoundFileError.self) {
        _ = try PacketEncoder(
          SoundFileFormat(.m4a, .aac), rate: .hertz44100,
          layout: ChannelLayout([.left, .right]))
      }
      return
    }
    encoder.bitRate = 96_000
    #expect(encoder.bitRate == 96_000 && encoder.maximumOutputPacketSize > 0)
    #expect(encoder.availableEncodeBitRates?.isEmpty == false)
    #expect(encoder.availableEncodeChannelLayoutTags?.isEmpty == false)
    let input = try sound(20_480, format)
    var encoded: [AVAudioCompressedBuffer] = []
    var isGiven = false
    while true {
      let buffer = AVAudioCompressedBuffer(
        format: packets, packetCapacity: 4, maximumPacketSize: encoder.maximumOutputPacketSize)
      var error: NSError?
      let status = encoder.convert(to: buffer, error: &error) { _, status in
        status.pointee = isGiven ? .endOfStream : .haveData
        defer { isGiven = true }
        return isGiven ? nil : input
      }
      #expect(error == nil)
      if status != .haveData { break }
      #expect((1...4).contains(buffer.packetCount) && buffer.byteLength > 0)
      encoded.append(buffer)
    }
    let count = encoded.reduce(0) { $0 + Int($1.packetCount) }
    #expect(count >= 20)
    packets.magicCookie = encoder.magicCookie
    #expect(packets.magicCookie != nil)
    let decoder = try #require(AVAudioConverter(from: packets, to: format))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1 << 16))
    var next = 0
    let status = decoder.convert(to: output, error: nil) { _, status in
      guard next < encoded.count else {
        status.pointee = .endOfStream
        return nil
      }
      status.pointee = .haveData
      defer { next += 1 }
      return encoded[next]
    }
    #expect(status == .haveData && output.frameLength == UInt32(count * 1024))
    let delay = Int(encoder.primeInfo.leadingFrames)
    let error = (0..<20_000).map { frame in
      let value = Double(input.floatChannelData?[0][frame] ?? .nan)
      return value - Double(output.floatChannelData?[0][frame + delay] ?? .nan)
    }
    let power = error.reduce(0) { $0 + $1 * $1 } / Double(error.count)
    // The sine has a power of 1/8; a shift by three frames gives 0.0012.
    #expect(power < 1e-3, "\(power) \(delay)")
  }
}
