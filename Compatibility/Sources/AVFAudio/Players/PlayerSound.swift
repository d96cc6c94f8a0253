// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import AudioToolboxFiles
internal import ClipPlayback
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// The sound of a player: its file or its bytes, and its properties.
enum PlayerSound {
  /// A sound that was opened.
  struct Facts {
    let seconds: Double
    let channelCount: Int
    let frames: Int
    let description: AudioStreamBasicDescription
    let layout: AVAudioChannelLayout?
  }

  /// Opens a file and appends it to a player.
  ///
  /// - Throws: An `NSError` in the domain of status codes.
  static func open(_ url: URL, in player: AudioPlayer) throws -> Facts {
    guard url.isFileURL else {
      throw error(kAudioFileUnsupportedFileTypeCode, "\(url): not a file")
    }
    do {
      let reader = try SoundFileReader(path: url.path)
      return try append(reader, to: player)
    } catch {
      throw Self.nsError(error)
    }
  }

  /// Opens bytes and appends them to a player.
  ///
  /// - Throws: An `NSError` in the domain of status codes.
  static func open(_ data: Data, in player: AudioPlayer) throws -> Facts {
    do {
      let reader = try SoundFileReader(bytes: Array(data))
      return try append(reader, to: player)
    } catch {
      throw Self.nsError(error)
    }
  }

  private static func append(
    _ reader: sending SoundFileReader, to player: AudioPlayer
  ) throws -> Facts {
    let count = reader.frameCount == .max ? 0 : reader.frameCount
    let hertz = Int(reader.rate.hertz)
    let facts = Facts(
      seconds: Double(count) / Double(hertz), channelCount: reader.channelCount, frames: count,
      description: description(of: reader),
      layout: reader.channelCount > 2 ? discrete(reader.channelCount) : nil)
    try player.append(reader)
    return facts
  }

  /// The description of a file; of an unknown format, its decoded samples.
  private static func description(of reader: SoundFileReader) -> AudioStreamBasicDescription {
    let hertz = Int(reader.rate.hertz)
    let channels = reader.channelCount
    return reader.format?.description(hertz: hertz, channelCount: channels)
      ?? AudioStreamBasicDescription(
        pcmBits: 32, isFloat: true, isBigEndian: false, sampleRate: Double(hertz),
        channels: UInt32(channels), interleaved: true)
  }

  private static func discrete(_ channelCount: Int) -> AVAudioChannelLayout? {
    AVAudioChannelLayout(
      layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channelCount))
  }

  /// The error of Apple's players for an error of a file.
  static func nsError(_ error: any Error) -> NSError {
    let file: SoundFileError? =
      switch error {
      case let error as SoundFileError: error
      case ClipError.unreadable(let error): error
      default: nil
      }
    let code =
      switch file {
      case .cannotOpen(_, ENOENT), .cannotOpen(_, ENOTDIR): kFileNotFoundCode
      case .cannotOpen: kAudioFilePermissionsCode
      case .notSoundFile, .midiFile, .codecsMissing: kAudioFileUnsupportedFileTypeCode
      default: kAudioFileInvalidFileCode
      }
    return Self.error(code, "\(error)")
  }

  private static func error(_ code: Int, _ text: String) -> NSError {
    NSError(
      domain: NSOSStatusErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
  }

  // The codes of AudioFile.h: 'typ?', 'dta?', 'prm?' and −43.
  private static let kAudioFileUnsupportedFileTypeCode = 0x7479_703F
  private static let kAudioFileInvalidFileCode = 0x6474_613F
  private static let kAudioFilePermissionsCode = 0x7072_6D3F
  private static let kFileNotFoundCode = -43
}
