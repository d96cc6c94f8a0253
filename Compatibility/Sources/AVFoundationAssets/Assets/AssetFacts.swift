// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia
internal import FileNames
internal import Foundation
internal import MusicalTime
internal import SoundStreaming

/// The properties of the sound of an asset.
struct AssetFacts: Sendable {
  /// Frames of sound; nil for a broadcast.
  let frameCount: Int64?
  /// Frames per second.
  let hertz: Int
  /// The format of the track.
  let description: CMFormatDescription
  /// The texts of the file.
  let tags: [SoundFileMetadata.Tag: String]
  /// Bits per second of the packets or samples.
  let bitsPerSecond: Double
  /// Bytes of the packets or samples; 0 if they are not known.
  let byteCount: Int64

  private static let chunk = 1 << 16

  /// Reads the properties of a file.
  init(path: String) throws(AVError) {
    do {
      try self.init(SoundFileReader(path: path))
    } catch {
      throw AVError(error)
    }
  }

  init(_ reader: SoundFileReader) throws(SoundFileError) {
    let packets = reader.packets()
    let formats = ExtFileOpening.formats(reader)
    hertz = Int(reader.rate.hertz)
    tags = reader.metadata.tags
    frameCount = Self.length(reader, packets)
    let codec = packets?.formats.first?.codec
    let cookie = packets.flatMap { packets in
      codec.map { MagicCookie.coreAudioCookie(packets.magicCookie, for: $0) }
    }
    description = CMFormatDescription(
      formats[0], layout: Self.layout(reader), cookie: cookie ?? [], formats: formats)
    if let packets {
      (bitsPerSecond, byteCount) = (packets.table.bitsPerSecond, packets.table.byteCount)
    } else if formats[0].mBytesPerFrame == 0 {
      byteCount = 0
      bitsPerSecond = Self.bitsPerSecond(reader.path, frameCount, hertz)
    } else {
      let size = Int64(formats[0].mBytesPerFrame)
      bitsPerSecond = Double(size * 8) * Double(hertz)
      byteCount = (frameCount ?? 0).multipliedReportingOverflow(by: size).partialValue
    }
  }

  /// The bits per second of a file whose packets are not found; 0 if its size is not known.
  private static func bitsPerSecond(_ path: String, _ frames: Int64?, _ hertz: Int) -> Double {
    var info = stat()
    let status = path.withSystemPath { unsafe stat($0, &info) }
    guard status == 0, let frames, frames > 0 else { return 0 }
    return Double(info.st_size) * 8 * Double(hertz) / Double(frames)
  }

  /// Takes the properties of an address.
  init(_ survey: AddressSurvey) {
    let layer = survey.layers.first
    hertz = layer?.hertz ?? 48_000
    (frameCount, tags) = (survey.frameCount, survey.tags)
    let formats = survey.layers.map { AudioStreamBasicDescription($0) }
    description = CMFormatDescription(
      formats.first ?? AudioStreamBasicDescription(), formats: formats)
    (bitsPerSecond, byteCount) = (Double(survey.bitrate ?? 0), 0)
  }

  /// The exact length of a file.
  private static func length(_ reader: SoundFileReader, _ packets: PacketReader?) -> Int64 {
    if reader.frameCount != .max, !reader.isFrameCountEstimated {
      return Int64(reader.frameCount)
    }
    // Frames of packets may be counted at the rate of a codec's core.
    if let table = packets?.table, table.hertz == Int(reader.rate.hertz) {
      return table.frameCount
    }
    var count: Int64 = 0
    while true {
      let samples = reader.read(frameCount: chunk)
      if samples.isEmpty { return count }
      count += Int64(samples.count / reader.channelCount)
    }
  }

  /// The order of the channels; nil for one or two.
  private static func layout(_ reader: SoundFileReader) -> ManagedAudioChannelLayout? {
    guard reader.channelCount > 2 else { return nil }
    let known = AVAudioChannelLayout(data: Data(ChannelLabels(reader.layout).bytes))
    if let known, Int(known.channelCount) == reader.channelCount { return known.managed }
    return ManagedAudioChannelLayout(
      tag: kAudioChannelLayoutTag_Unknown | UInt32(reader.channelCount))
  }

  /// The length.
  var duration: CMTime {
    frameCount.map { CMTime(value: $0, timescale: CMTimeScale(clamping: hertz)) } ?? .indefinite
  }
}
