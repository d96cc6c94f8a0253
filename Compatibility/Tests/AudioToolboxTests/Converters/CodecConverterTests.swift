// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import AudioToolboxFiles
import MusicalTime
import TestSupport
import Testing

/// Encoding and decoding by converters.
@Suite(.enabled(if: InstalledCodecs.hasAAC, "no FFmpeg that is supported"))
struct CodecConverterTests {
  private static let frameCount = 30_001
  private let tones = TestFormats.tones(Self.frameCount)

  /// Packets with their sizes, the cookie and the prime info.
  private struct Encoded {
    var bytes: [UInt8] = []
    var sizes: [Int] = []
    var cookie: [UInt8] = []
    var prime = AudioConverterPrimeInfo()
    var format = AudioStreamBasicDescription()
  }

  private func encode(
    _ id: AudioFormatID, flags: UInt32 = 0, bitRate: UInt32? = nil, packets: Int = 3
  ) throws -> Encoded {
    let converter = try TestConverter(
      TestFormats.integers(), TestFormats.packets(id, flags: flags))
    if var bitRate {
      #expect(
        AudioConverterSetProperty(converter.ref, kAudioConverterEncodeBitRate, 4, &bitRate)
          == noErr)
    }
    var result = Encoded()
    result.format = try converter.get(
      kAudioConverterCurrentOutputStreamDescription, AudioStreamBasicDescription())
    let largest = Int(
      try converter.get(kAudioConverterPropertyMaximumOutputPacketSize, UInt32(0)))
    let feed = ConverterFeed(tones, bytesPerPacket: 4)
    var descriptions = [AudioStreamPacketDescription](
      repeating: AudioStreamPacketDescription(), count: packets)
    while true {
      let part = converter.fill(
        feed, packets: packets, capacity: packets * largest, &descriptions)
      try #require(part.status == noErr)
      if part.packets == 0 { break }
      var place: Int64 = 0
      for description in descriptions.prefix(part.packets) {
        #expect(description.mStartOffset == place)
        place += Int64(description.mDataByteSize)
        result.sizes.append(Int(description.mDataByteSize))
      }
      result.bytes += part.bytes
    }
    result.prime = try converter.get(kAudioConverterPrimeInfo, AudioConverterPrimeInfo())
    var size: UInt32 = 0
    AudioConverterGetPropertyInfo(
      converter.ref, kAudioConverterCompressionMagicCookie, &size, nil)
    result.cookie = [UInt8](repeating: 0, count: Int(size))
    AudioConverterGetProperty(
      converter.ref, kAudioConverterCompressionMagicCookie, &size, &result.cookie)
    return result
  }

  private func decode(_ encoded: Encoded) throws -> [Int16] {
    let converter = try TestConverter(encoded.format, TestFormats.integers())
    if !encoded.cookie.isEmpty {
      #expect(
        AudioConverterSetProperty(
          converter.ref, kAudioConverterDecompressionMagicCookie, UInt32(encoded.cookie.count),
          encoded.cookie) == noErr)
    }
    let feed = ConverterFeed(encoded.bytes, bytesPerPacket: 0, sizes: encoded.sizes)
    return try converter.drain(feed, Int16.self, channels: 2)
  }

  @Test func `AAC has the source's frames between its priming and its remainder`() throws {
    let encoded = try encode(kAudioFormatMPEG4AAC)
    #expect(encoded.format.mFramesPerPacket == 1024)
    let (leading, trailing) = (Int(encoded.prime.leadingFrames), Int(encoded.prime.trailingFrames))
    #expect(encoded.sizes.count * 1024 == leading + Self.frameCount + trailing)
    #expect(leading > 0 && trailing >= 0)
    let decoded = try decode(encoded)
    #expect(decoded.count / 2 == encoded.sizes.count * 1024)
    // Tones survive: the difference is small against 9000.
    let sound = decoded.dropFirst(leading * 2).prefix(tones.count)
    let error =
      zip(tones, sound).dropFirst(4096).dropLast(4096)
      .map { abs(Double($0) - Double($1)) }.max() ?? .infinity
    #expect(error < 600, "\(error)")
  }

  @Test func `The bit rate changes the size`() throws {
    let (low, high) = (
      try encode(kAudioFormatMPEG4AAC, bitRate: 48_000).bytes.count,
      try encode(kAudioFormatMPEG4AAC, bitRate: 256_000).bytes.count
    )
    #expect(low < high)
  }

  @Test func `ALAC is lossless`() throws {
    let flags = UInt32(kAppleLosslessFormatFlag_16BitSourceData)
    let encoded = try encode(kAudioFormatAppleLossless, flags: flags, packets: 1)
    #expect(encoded.cookie.count == 24)
    #expect(try decode(encoded).elementsEqual(tones))
  }

  @Test func `IMA ADPCM has packets of one size and 64 frames`() throws {
    let encoded = try encode(kAudioFormatAppleIMA4)
    #expect(encoded.format.mBytesPerPacket == 68 && encoded.format.mFramesPerPacket == 64)
    #expect(encoded.sizes.allSatisfy { $0 == 68 })
    let decoded = try decode(encoded)
    #expect(decoded.count / 2 == (Self.frameCount + 63) / 64 * 64)
    // The steps of the first packets have yet to grow.
    let error = zip(tones, decoded).dropFirst(2048).map { abs(Int($0) - Int($1)) }.max() ?? .max
    #expect(error < 1500)
  }

  @Test func `Packets of different sizes need descriptions, in the buffer`() throws {
    let encoded = try encode(kAudioFormatMPEG4AAC)
    let converter = try TestConverter(encoded.format, TestFormats.integers())
    let feed = ConverterFeed(encoded.bytes, bytesPerPacket: 0, sizes: encoded.sizes)
    feed.givesDescriptions = false
    #expect(
      converter.fill(feed, packets: 100, capacity: 400).status
        == kAudioConverterErr_RequiresPacketDescriptionsError)
  }

  @Test func `A packet that does not fit is kept`() throws {
    let converter = try TestConverter(
      TestFormats.integers(), TestFormats.packets(kAudioFormatMPEG4AAC))
    let feed = ConverterFeed(tones, bytesPerPacket: 4)
    _ = converter.fill(feed, packets: 5, capacity: 8000)
    let small = converter.fill(feed, packets: 1, capacity: 10)
    #expect(small.status == kAudioConverterErr_InvalidOutputSize && small.packets == 0)
    #expect(converter.fill(feed, packets: 1, capacity: 1536).packets == 1)
  }

  @Test func `Damaged packets and cookies do no harm`() throws {
    var encoded = try encode(kAudioFormatMPEG4AAC)
    for index in stride(from: 0, to: encoded.bytes.count, by: 7) { encoded.bytes[index] ^= 0x5A }
    _ = try decode(encoded)
    let converter = try TestConverter(
      TestFormats.packets(kAudioFormatAppleLossless), TestFormats.integers())
    let code = AudioConverterSetProperty(
      converter.ref, kAudioConverterDecompressionMagicCookie, 3, [1, 2, 3] as [UInt8])
    #expect(code == kAudioConverterErr_FormatNotSupported)
    let feed = ConverterFeed([UInt8](repeating: 1, count: 100), bytesPerPacket: 0, sizes: [100])
    #expect(converter.fill(feed, packets: 10, capacity: 40).status != noErr)
  }

  @Test func `MP3 of a file is decoded as its packets are`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("tones.mp3")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.mp3), channelCount: 2, rate: .hertz44100)
    try writer.write(tones.span)
    try writer.finish()
    let packets = try PacketReader(path: path)
    let decoder = try PacketDecoder(packets.formats[0], magicCookie: packets.magicCookie)
    var (own, bytes, sizes) = ([Float](), [UInt8](), [Int]())
    for number in packets.table.packets.indices {
      let packet = try #require(packets.packet(number))
      own += decoder.decode(packet, as: Float.self)
      (bytes, sizes) = (bytes + packet, sizes + [packet.count])
    }
    own += decoder.finish(as: Float.self)
    let converter = try TestConverter(
      TestFormats.packets(kAudioFormatMPEGLayer3), TestFormats.floats())
    let samples = try converter.drain(
      ConverterFeed(bytes, bytesPerPacket: 0, sizes: sizes), Float.self, channels: 2)
    #expect(samples.elementsEqual(own))
  }
}

/// The codecs of this machine.
private enum InstalledCodecs {
  static let hasAAC = CodecCatalog.decoders.contains { $0.name == "AAC" && $0.isAvailable }
}
