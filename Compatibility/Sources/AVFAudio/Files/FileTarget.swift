// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import AudioToolboxFiles
internal import CoreAudio
internal import Foundation
package import MusicalTime

/// The format of a new file, from the settings of a program.
package struct FileTarget {
  /// Settings that a file cannot have.
  package struct Refusal: Error {
    /// The code of Audio File Services.
    package let code: OSStatus
    /// A sentence for the user.
    package let reason: String
  }

  /// The format in the file.
  package let fileFormat: AVAudioFormat
  /// The kind of file.
  package let format: SoundFileFormat
  /// Frames per second.
  package let rate: SampleRate
  /// The settings of the writer.
  package private(set) var options = SoundFileWriter.Options()

  /// Checks the settings of a program.
  ///
  /// - Parameters:
  ///   - path: The name of the file, whose extension is used without `AVAudioFileTypeKey`.
  ///   - settings: The settings.
  /// - Throws: `Refusal`, or `AudioSettings.WrongType`.
  package init(path: String, _ settings: AudioSettings) throws {
    let kind = try Self.kind(path, settings)
    var description = try Self.description(kind, settings)
    let layout = try settings.layout()
    if description.mChannelsPerFrame == 0 {
      description.mChannelsPerFrame = layout?.channelCount ?? 0
    }
    guard let rate = SampleRate(description: description.mSampleRate),
      (1...1024).contains(description.mChannelsPerFrame),
      layout == nil || layout?.channelCount == description.mChannelsPerFrame
    else {
      throw Refusal(
        code: kAudioFileUnsupportedDataFormatError,
        reason: "settings: the sample rate, the number of channels or the layout is missing or"
          + " impossible")
    }
    guard let format = SoundFileFormat(kind.type, description) else {
      throw Refusal(
        code: kAudioFileUnsupportedDataFormatError,
        reason: "\(path): \(kind.name) files do not support the format \(description.words)")
    }
    (self.format, self.rate) = (format, rate)
    let layoutOfFile = layout ?? Self.unknown(description.mChannelsPerFrame)
    fileFormat = AVAudioFormat(description, layout: layoutOfFile)
    try setOptions(settings, layout, description)
  }

  /// A layout for more than two channels whose order the settings do not state.
  private static func unknown(_ channels: UInt32) -> AVAudioChannelLayout? {
    channels > 2
      ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels) : nil
  }

  private static func kind(_ path: String, _ settings: AudioSettings) throws -> SoundFileKind {
    let kind: SoundFileKind? =
      if let type = try settings.unsigned(AVAudioFileTypeKey) {
        SoundFileKind.of(type)
      } else {
        SoundFileKind.of(extension: URL(fileURLWithPath: path).pathExtension).first
      }
    guard let kind, kind.container != nil else {
      throw Refusal(
        code: kAudioFileUnsupportedFileTypeError,
        reason: "\(path): unknown file type (end the name in .caf, .wav, .aif or .m4a)")
    }
    return kind
  }

  /// The format in the file; samples of a file are interleaved.
  private static func description(
    _ kind: SoundFileKind, _ settings: AudioSettings
  ) throws -> AudioStreamBasicDescription {
    let id = try settings.unsigned(AVFormatIDKey) ?? kind.formatIDs[0]
    let rate = try settings.number(AVSampleRateKey) ?? 0
    let channels = try settings.unsigned(AVNumberOfChannelsKey) ?? 0
    guard id == kAudioFormatLinearPCM else {
      var packets = AudioStreamBasicDescription(compressed: id, rate: rate, channels: channels)
      if id == kAudioFormatAppleLossless || id == kAudioFormatFLAC {
        packets.mFormatFlags = AudioStreamBasicDescription.losslessFlag(
          Int(try settings.unsigned(AVEncoderBitDepthHintKey) ?? 16))
      }
      return packets
    }
    return try linear(kind, rate, channels, settings)
  }

  private static func linear(
    _ kind: SoundFileKind, _ rate: Double, _ channels: UInt32, _ settings: AudioSettings
  ) throws -> AudioStreamBasicDescription {
    let isFloat = try settings.flag(AVLinearPCMIsFloatKey) ?? false
    let bits = try settings.unsigned(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
    guard (8...64).contains(bits), bits % 8 == 0 else {
      throw AudioSettings.WrongType(key: AVLinearPCMBitDepthKey)
    }
    let isUsuallyBig = kind.container == .aiff || kind.container == .au
    var description = AudioStreamBasicDescription(
      pcmBits: Int(bits), isFloat: isFloat,
      isBigEndian: try settings.flag(AVLinearPCMIsBigEndianKey) ?? isUsuallyBig,
      sampleRate: rate, channels: channels, interleaved: true)
    // Eight bits have a sign in other files than WAVE's.
    if bits == 8, [.wav, .rf64, .w64].contains(kind.container) {
      description.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger
    }
    return description
  }

  private mutating func setOptions(
    _ settings: AudioSettings, _ layout: AVAudioChannelLayout?,
    _ description: AudioStreamBasicDescription
  ) throws {
    // Big-endian is the usual order; libsndfile refuses a stated order for floating point in AIFF.
    if format.hasByteOrder, SoundFileFormat.byteOrder(description) == .little {
      options.byteOrder = .little
    }
    if let layout, let labels = ChannelLabels(layout) { options.layout = labels.layout }
    let perChannel = try settings.number(AVEncoderBitRatePerChannelKey)
    let rate =
      try settings.number(AVEncoderBitRateKey)
      ?? perChannel.map { $0 * Double(description.mChannelsPerFrame) }
    let isVariable = settings.text(AVEncoderBitRateStrategyKey) == AVAudioBitRateStrategy_Variable
    if isVariable, let quality = try settings.number(AVEncoderAudioQualityForVBRKey) {
      options.quality = min(max(quality / Double(AVAudioQuality.max.rawValue), 0), 1)
    } else if let rate, rate >= 1, rate < 1e9 {
      options.bitrate = Int(rate)
    }
  }
}

extension ChannelLabels {
  /// Creates the channels of a layout; nil if it does not state any.
  ///
  /// - Parameter layout: The layout.
  package init?(_ layout: AVAudioChannelLayout) {
    unsafe self.init(layout.layout, size: layout.managed.sizeInBytes)
  }
}
