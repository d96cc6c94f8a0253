// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolbox
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
internal import MusicalTime

/// The file that a recorder writes.
struct RecordingTarget: Sendable {
  let url: URL
  let format: SoundFileFormat
  let rate: SampleRate
  let channelCount: Int
  let options: SoundFileWriter.Options
  let description: AudioStreamBasicDescription

  /// Checks settings; those that are missing are 44,100 Hz, two channels and the usual format of the
  /// file name extension.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - settings: The settings of a program.
  /// - Throws: An `NSError` in the domain of status codes: 'fmt?', 'typ?'.
  init(_ url: URL, settings: [String: Any]) throws {
    guard url.isFileURL else { throw Self.error(kAudioFileUnsupportedFileTypeError) }
    let kinds = try Self.kinds(url, settings)
    var settings = settings
    if settings[AVSampleRateKey] == nil { settings[AVSampleRateKey] = 44_100 }
    if settings[AVNumberOfChannelsKey] == nil, settings[AVChannelLayoutKey] == nil {
      settings[AVNumberOfChannelsKey] = 2
    }
    if settings[AVFormatIDKey] == nil { settings[AVFormatIDKey] = kinds[0].formatIDs.first }
    guard let format = AVAudioFormat(settings: settings) else {
      throw Self.error(kAudioFormatUnsupportedDataFormatError)
    }
    let options = try Self.options(AudioSettings(settings), format)
    try self.init(url, kinds, format, options)
  }

  /// Checks a format.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - format: The format of the file; PCM is stored interleaved.
  /// - Throws: An `NSError` in the domain of status codes: 'fmt?', 'typ?'.
  init(_ url: URL, format: AVAudioFormat) throws {
    guard url.isFileURL else { throw Self.error(kAudioFileUnsupportedFileTypeError) }
    let options = try Self.options(AudioSettings([:]), format)
    try self.init(url, try Self.kinds(url, [:]), format, options)
  }

  private init(
    _ url: URL, _ kinds: [SoundFileKind], _ format: AVAudioFormat,
    _ options: SoundFileWriter.Options
  ) throws {
    let wanted = unsafe format.streamDescription.pointee
    let found = kinds.lazy.compactMap { SoundFileFormat($0.type, wanted) }.first
    guard let found, let rate = Int(exactly: wanted.mSampleRate).flatMap(SampleRate.init(hertz:)),
      found.rates?.contains(Int(rate.hertz)) ?? true
    else { throw Self.error(kAudioFormatUnsupportedDataFormatError) }
    self.url = url
    self.format = found
    self.rate = rate
    channelCount = Int(wanted.mChannelsPerFrame)
    var options = options
    if found.hasByteOrder { options.byteOrder = SoundFileFormat.byteOrder(wanted) }
    self.options = options
    description = found.description(
      hertz: Int(rate.hertz), channelCount: channelCount, byteOrder: options.byteOrder)
  }

  /// The types of file that the settings or the file name extension allow.
  private static func kinds(_ url: URL, _ settings: [String: Any]) throws -> [SoundFileKind] {
    let type: AudioFileTypeID?
    do {
      type = try AudioSettings(settings).unsigned(AVAudioFileTypeKey)
    } catch {
      throw Self.error(kAudioFormatUnsupportedDataFormatError)
    }
    let kinds =
      type.map { SoundFileKind.of($0).map { [$0] } ?? [] }
      ?? SoundFileKind.of(extension: url.pathExtension)
    guard !kinds.isEmpty else { throw Self.error(kAudioFileUnsupportedFileTypeError) }
    return kinds
  }

  private static func options(
    _ settings: AudioSettings, _ format: AVAudioFormat
  ) throws -> SoundFileWriter.Options {
    var options = SoundFileWriter.Options()
    guard [kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3].contains(formatID(format)) else {
      return options
    }
    do {
      let all = try settings.unsigned(AVEncoderBitRateKey)
      let one = try settings.unsigned(AVEncoderBitRatePerChannelKey)
      let rate = all.map(Int.init) ?? one.map { Int($0) * Int(format.channelCount) }
      options.bitrate = rate.flatMap { $0 > 0 ? $0 : nil }
      let quality = try settings.unsigned(AVEncoderAudioQualityForVBRKey)
      if options.bitrate == nil { options.quality = quality.map { min(1, Double($0) / 127) } }
    } catch {
      throw Self.error(kAudioFormatUnsupportedDataFormatError)
    }
    return options
  }

  private static func formatID(_ format: AVAudioFormat) -> AudioFormatID {
    unsafe format.streamDescription.pointee.mFormatID
  }

  private static func error(_ code: OSStatus) -> NSError {
    NSError(domain: NSOSStatusErrorDomain, code: Int(code))
  }
}
