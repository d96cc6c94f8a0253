// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio
internal import MusicalTime

/// The encoder of a converter, and the packets that are ready.
package struct ConverterEncoding {
  private let encoder: PacketEncoder
  private var packets: [PacketEncoder.Packet] = []
  private var place = 0
  private var (frameCount, packetCount) = (0, 0)
  /// True if no packet follows those that are ready.
  package private(set) var isFinished = false

  /// Opens an encoder.
  ///
  /// - Parameters:
  ///   - description: the format of the packets.
  ///   - settings: the settings of the converter.
  ///   - bits: the bits of the samples that go in.
  /// - Throws: `SoundFileError` if the encoder does not take the format.
  package init(
    _ description: AudioStreamBasicDescription, _ settings: ConverterSettings, bits: Int
  ) throws(SoundFileError) {
    let channelCount = Int(description.mChannelsPerFrame)
    let stated = settings.outputLayout?.layout
    guard
      let format = CodecFormats.encoder(description, bits: settings.bitDepthHint ?? bits),
      let rate = SampleRate(description: description.mSampleRate)
    else {
      throw .cannotEncode(path: "packets", reason: "the format is not encoded")
    }
    let layout =
      stated?.roles.count == channelCount ? stated : ChannelLayout.usual(channelCount: channelCount)
    encoder = try PacketEncoder(
      format, rate: rate, layout: layout ?? .usual(channelCount: channelCount),
      bitrate: settings.bitRate)
  }

  /// Frames that a packet takes.
  package var framesPerPacket: Int { encoder.framesPerPacket }

  /// The configuration of a decoder.
  package var magicCookie: [UInt8] { encoder.magicCookie }

  /// True if no frames were encoded.
  package var isUnused: Bool { frameCount == 0 && !isFinished }

  /// Decoded frames before the sound, and after it once all packets are made.
  package var primeInfo: AudioConverterPrimeInfo {
    let priming = encoder.primingFrameCount
    let trailing = isFinished ? packetCount * encoder.framesPerPacket - priming - frameCount : 0
    return AudioConverterPrimeInfo(
      leadingFrames: UInt32(clamping: priming), trailingFrames: UInt32(clamping: trailing))
  }

  /// The next packet that is ready.
  package var first: PacketEncoder.Packet? { place < packets.count ? packets[place] : nil }

  /// Takes the next packet.
  package mutating func removeFirst() {
    place += 1
    if place == packets.count { (packets, place) = ([], 0) }
  }

  /// Encodes interleaved frames.
  ///
  /// - Throws: `SoundFileError.cannotEncode`.
  package mutating func add(_ samples: [Double], channelCount: Int) throws(SoundFileError) {
    frameCount += samples.count / channelCount
    append(try encoder.encode(samples.span))
  }

  /// Ends the stream.
  ///
  /// - Throws: `SoundFileError.cannotEncode`.
  package mutating func finish() throws(SoundFileError) {
    guard !isFinished else { return }
    isFinished = true
    append(try encoder.finish())
  }

  private mutating func append(_ new: [PacketEncoder.Packet]) {
    packetCount += new.count
    packets += new
  }
}
