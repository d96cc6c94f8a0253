// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia
internal import Foundation

/// A kind of export.
enum ExportPreset: Hashable, Sendable {
  /// AAC in an M4A file, at a bit rate; nil for the encoder's default.
  case m4a(bitRate: Int?)
  /// The packets or samples of the file as they are.
  case passthrough

  /// The preset of a name; nil for another name.
  init?(name: String) {
    switch name {
    case AVAssetExportPresetAppleM4A: self = .m4a(bitRate: nil)
    case AVAssetExportPresetLowQuality: self = .m4a(bitRate: 64_000)
    case AVAssetExportPresetMediumQuality: self = .m4a(bitRate: 128_000)
    case AVAssetExportPresetHighestQuality: self = .m4a(bitRate: 256_000)
    case AVAssetExportPresetPassthrough: self = .passthrough
    default: return nil
    }
  }

  private static let sampled: [AVFileType] = [.wav, .aiff, .aifc, .caf, .au]

  /// The types of file that an asset can be exported as.
  func types(_ facts: AssetFacts) -> [AVFileType] {
    guard self == .passthrough else { return [.m4a] }
    guard let description = facts.description.audioStreamBasicDescription else { return [] }
    if PCMForm(description) != nil {
      return Self.sampled.filter { type in
        type.kind.map { Self.samples($0, description) != nil } ?? false
      }
    }
    let containers = PacketFile.containers(for: description.codec)
    return SoundFileKind.all.filter { kind in
      kind.container.map(containers.contains) ?? false
        && kind.formatIDs.contains(description.codec.baseID)
    }.compactMap(AVFileType.init)
  }

  /// The format of a file that is converted; nil if the kind does not have one.
  func format(
    _ kind: SoundFileKind, _ description: AudioStreamBasicDescription
  ) throws -> SoundFileFormat? {
    self == .passthrough
      ? Self.samples(kind, description) : try SoundFileFormat(.m4a, .aac)
  }

  /// The bits per second of an encoded file; nil for the encoder's default.
  var bitRate: Int? {
    if case .m4a(let bitRate) = self { bitRate } else { nil }
  }

  /// The format with the samples of a file, in the kind's order of bytes.
  private static func samples(
    _ kind: SoundFileKind, _ description: AudioStreamBasicDescription
  ) -> SoundFileFormat? {
    guard PCMForm(description) != nil else { return nil }
    var wanted = description
    wanted.mFormatFlags &= ~kAudioFormatFlagIsBigEndian
    if kind.container == .aiff || kind.container == .au {
      wanted.mFormatFlags |= kAudioFormatFlagIsBigEndian
    }
    // Integers of 8 bits have a sign in other files than WAVE's.
    if wanted.mBitsPerChannel == 8, wanted.mFormatID == kAudioFormatLinearPCM {
      wanted.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger
      if kind.container != .wav { wanted.mFormatFlags |= kAudioFormatFlagIsSignedInteger }
    }
    return SoundFileFormat(kind.type, wanted)
  }
}

extension SoundCodec {
  /// The id of the format in a file, in which HE-AAC is AAC.
  fileprivate var baseID: AudioFormatID {
    [.aacHE, .aacHEv2].contains(self) ? kAudioFormatMPEG4AAC : formatID
  }
}
