// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreMedia
internal import Foundation

/// The file behind an input of a writer, which takes its name when it is finished.
///
/// - Note: One thread at a time.
protocol WritingTarget: AnyObject {
  /// Adds samples.
  ///
  /// - Throws: The error of samples of another format, of the disk or of the encoder.
  func append(_ buffer: CMSampleBuffer) throws(AVError)

  /// Writes the end and gives the file its name.
  ///
  /// - Throws: The error of the disk or of the encoder; nothing is left then.
  func finish() throws(AVError)
}

/// The properties of a new file.
struct WritingPlan {
  let path: String
  let kind: SoundFileKind
  /// The settings of the program; nil to write samples as they are.
  let settings: [String: Any]?
  let metadata: SoundFileMetadata
  /// The time of the first frame of the file.
  let start: CMTime

  /// Opens the file for samples of a format.
  ///
  /// - Throws: `unsupportedOutputSettings`, `encoderNotFound`, or an error of the disk.
  func target(_ format: CMFormatDescription) throws(AVError) -> any WritingTarget {
    if let description = format.audioStreamBasicDescription, PCMForm(description) != nil {
      return try SampleTarget(self, description, format.audioChannelLayout)
    }
    guard settings == nil else {
      throw AVError(.invalidSourceMedia, "packets of a codec are written without outputSettings")
    }
    return try PacketTarget(self, format)
  }

  /// The format of the file for PCM samples of a format, whose values stand for missing settings.
  func fileTarget(_ samples: AVAudioFormat) throws(AVError) -> FileTarget {
    var all = samples.settings
    // The file type has a usual order of bytes.
    all[AVLinearPCMIsBigEndianKey] = nil
    if let settings {
      for key in [AVSampleRateKey, AVNumberOfChannelsKey, AVChannelLayoutKey] {
        all[key] = settings[key] ?? (settings[AVNumberOfChannelsKey] == nil ? all[key] : nil)
      }
      all[AVSampleRateKey] = all[AVSampleRateKey] ?? NSNumber(value: samples.sampleRate)
      for key in [AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey] { all[key] = nil }
      all.merge(settings) { $1 }
    }
    all[AVAudioFileTypeKey] = NSNumber(value: kind.type)
    do {
      return try FileTarget(path: path, AudioSettings(all))
    } catch let error as FileTarget.Refusal {
      throw AVError(.unsupportedOutputSettings, error.reason)
    } catch {
      throw AVError(.unsupportedOutputSettings, "settings: a value has the wrong type")
    }
  }
}
