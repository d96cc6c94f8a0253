// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// A sound file that is written from buffers.
final class FileWriting {
  let fileFormat: AVAudioFormat
  let format: AVAudioFormat
  private let writer: SoundFileWriter
  private var isFinished = false

  init(
    _ url: URL, _ settings: [String: Any], _ common: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    let call = "init(forWriting:settings:)"
    guard common != .otherFormat else {
      throw AVFAudioError.error(kAudio_ParamError, call: call)
    }
    let path = try FileReading.path(url, call)
    do {
      let target = try FileTarget(path: path, AudioSettings(settings))
      fileFormat = target.fileFormat
      format = AVAudioFormat(
        AudioStreamBasicDescription(
          common, sampleRate: Double(target.rate.hertz),
          channels: target.fileFormat.channelCount, interleaved: interleaved),
        layout: target.fileFormat.channelLayout)
      writer = try SoundFileWriter(
        path: path, format: target.format, channelCount: Int(target.fileFormat.channelCount),
        rate: target.rate, options: target.options)
    } catch let error as SoundFileError {
      throw AVFAudioError.error(error, call: call)
    } catch let error as AudioSettings.WrongType {
      throw AVFAudioError.error(
        kAudioFileUnsupportedDataFormatError, call: call,
        reason: "settings: the value of \(error.key) has the wrong type or is out of range")
    } catch let error as FileTarget.Refusal {
      throw AVFAudioError.error(error.code, call: call, reason: error.reason)
    }
  }

  /// Frames so far.
  var length: Int64 { Int64(writer.frameCount) }

  /// Writes the frames of a buffer of the processing format.
  func write(from buffer: AVAudioPCMBuffer) throws {
    do {
      switch format.commonFormat {
      case .pcmFormatInt16: try write(Int16.self, buffer)
      case .pcmFormatInt32: try write(Int32.self, buffer)
      case .pcmFormatFloat64: try write(Double.self, buffer)
      default: try write(Float.self, buffer)
      }
    } catch {
      throw AVFAudioError.error(error, call: "write(from:)")
    }
  }

  private func write<Sample: AudioSample & ExpressibleByIntegerLiteral>(
    _ type: Sample.Type, _ buffer: AVAudioPCMBuffer
  ) throws(SoundFileError) {
    try writer.write(buffer.interleaved(type, 0..<Int(buffer.frameLength)).span)
  }

  /// Completes the file; a failure leaves no file.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    do {
      try writer.finish()
    } catch {
      // Apple's close() does not report errors; the file is missing then.
    }
  }
}
