// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia

/// The format in which frames are read: PCM, with the values of the file for missing settings.
struct OutputSettings {
  let form: PCMForm
  let description: CMFormatDescription
  /// The order of the channels that the program asks for, or nil.
  let labels: ChannelLabels?
  let quality: SampleRateConverter.Quality

  /// Reads the settings of a program.
  ///
  /// - Parameters:
  ///   - values: The settings; nil for the format of the file.
  ///   - facts: The file.
  /// - Throws: `unsupportedOutputSettings`.
  init(_ values: [String: Any]?, _ facts: AssetFacts) throws(AVError) {
    let own = facts.description.audioStreamBasicDescription ?? AudioStreamBasicDescription()
    guard let values else {
      try self.init(own, facts.description.audioChannelLayout, nil, .veryHigh)
      return
    }
    let format: AVAudioFormat
    let (stated, quality): (AVAudioChannelLayout?, SampleRateConverter.Quality)
    do {
      let settings = AudioSettings(values)
      stated = try settings.layout()
      quality = Self.quality(try settings.unsigned(AVSampleRateConverterAudioQualityKey))
      format = try Self.format(values, stated, own, facts)
    } catch {
      throw Self.refusal
    }
    guard format.asbd.mFormatID == kAudioFormatLinearPCM else { throw Self.refusal }
    try self.init(
      format.asbd, format.channelLayout?.managed, stated.flatMap(ChannelLabels.init), quality)
  }

  /// The format of settings, with the values of the file for those that are missing.
  private static func format(
    _ values: [String: Any], _ stated: AVAudioChannelLayout?, _ own: AudioStreamBasicDescription,
    _ facts: AssetFacts
  ) throws -> AVAudioFormat {
    var all = values
    all[AVSampleRateKey] = values[AVSampleRateKey] ?? NSNumber(value: own.mSampleRate)
    if stated == nil {
      let channels = values[AVNumberOfChannelsKey] ?? NSNumber(value: own.mChannelsPerFrame)
      all[AVNumberOfChannelsKey] = channels
      let count = try AudioSettings(all).unsigned(AVNumberOfChannelsKey) ?? 0
      all[AVChannelLayoutKey] = layout(count, facts)?.data
    }
    guard let format = AVAudioFormat(settings: all) else { throw refusal }
    return format
  }

  private static let refusal = AVError(
    .unsupportedOutputSettings,
    "settings: linear PCM with 8 to 32 bits, a sample rate and channels that can be converted")

  private init(
    _ description: AudioStreamBasicDescription, _ layout: ManagedAudioChannelLayout?,
    _ labels: ChannelLabels?, _ quality: SampleRateConverter.Quality
  ) throws(AVError) {
    guard let form = PCMForm(description) else { throw Self.refusal }
    (self.form, self.labels, self.quality) = (form, labels, quality)
    self.description = CMFormatDescription(description, layout: layout)
  }

  /// The layout of the file for as many channels, or channels without an order; nil for one or two.
  private static func layout(_ channels: UInt32, _ facts: AssetFacts) -> AVAudioChannelLayout? {
    guard channels > 2 else { return nil }
    if let own = facts.description.audioChannelLayout, own.numberOfChannels == Int(channels) {
      return unsafe own.withUnsafePointer { unsafe AVAudioChannelLayout(layout: $0) }
    }
    return AVAudioChannelLayout(
      layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | (channels & 0xFFFF))
  }

  private static func quality(_ stated: UInt32?) -> SampleRateConverter.Quality {
    guard let stated else { return .veryHigh }
    return switch Int(stated) {
    case AVAudioQuality.high.rawValue...: .veryHigh
    case AVAudioQuality.medium.rawValue...: .high
    default: .medium
    }
  }
}
