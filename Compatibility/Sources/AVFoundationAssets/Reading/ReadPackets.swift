// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia
internal import Foundation

/// The packets of files that are read as they are.
enum ReadPackets {
  /// The packets of a file; nil for PCM, and for containers whose packets are not found.
  static func of(_ path: String, _ facts: AssetFacts) throws(AVError) -> PacketReader? {
    do {
      // A decoder of FLAC does not use its packets.
      if facts.description.mediaSubType == .flac { return try PacketReader(path: path) }
      return try SoundFileReader(path: path).packets()
    } catch {
      throw AVError(error)
    }
  }

  /// Settings for a file without packets: nil for PCM as it is, otherwise single precision.
  static func samples(of facts: AssetFacts) -> [String: Any]? {
    let own = facts.description.audioStreamBasicDescription
    if let own, PCMForm(own) != nil { return nil }
    return floats
  }

  /// Single precision, at the rate and with the channels of the file.
  static var floats: [String: Any] {
    [
      AVFormatIDKey: NSNumber(value: kAudioFormatLinearPCM),
      AVLinearPCMBitDepthKey: NSNumber(value: 32), AVLinearPCMIsFloatKey: NSNumber(value: true),
    ]
  }
}
