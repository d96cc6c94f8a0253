// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import MusicalTime

/// The properties of channel layouts.
enum LayoutProperty {
  /// The value of a property; nil for one of another kind.
  ///
  /// - Throws: a code for the specifier.
  static func value(
    _ id: AudioFormatPropertyID, _ specifier: FormatSpecifier
  ) throws(StatusError) -> FormatProperty.Value? {
    if let value = try ofTag(id, specifier) { return value }
    switch id {
    case kAudioFormatProperty_NumberOfChannelsForLayout:
      return .init([UInt32(try specifier.channels().labels.count)])
    case kAudioFormatProperty_TagForChannelLayout:
      guard let tag = try specifier.channels().tag else { throw unknown }
      return .init([tag])
    case kAudioFormatProperty_ValidateChannelLayout:
      return .bytes(try specifier.channels().bytes)
    case kAudioFormatProperty_ChannelLayoutHash: return .init([hash(try specifier.channels())])
    case kAudioFormatProperty_ChannelLayoutName, kAudioFormatProperty_ChannelLayoutSimpleName:
      return .text(FormatNames.name(try specifier.channels()))
    case kAudioFormatProperty_ChannelName:
      return .text(FormatNames.name(try label(specifier)))
    case kAudioFormatProperty_ChannelShortName:
      return .text(FormatNames.shortName(try label(specifier)))
    case kAudioFormatProperty_AreChannelLayoutsEquivalent:
      let (first, second) = try specifier.twoLayouts()
      return .init([first.labels == second.labels ? UInt32(1) : 0])
    case kAudioFormatProperty_ChannelMap:
      let (input, output) = try specifier.twoLayouts()
      let map = output.labels.map { Int32(input.labels.firstIndex(of: $0) ?? -1) }
      return .init(map)
    case kAudioFormatProperty_MatrixMixMap:
      let (input, output) = try specifier.twoLayouts()
      return .init(try matrix(input.layout, output.layout))
    default: return nil
    }
  }

  private static var unknown: StatusError { StatusError(kAudioFormatUnspecifiedError) }

  private static func ofTag(
    _ id: AudioFormatPropertyID, _ specifier: FormatSpecifier
  ) throws(StatusError) -> FormatProperty.Value? {
    switch id {
    case kAudioFormatProperty_ChannelLayoutForTag:
      guard let labels = ChannelLabels(tag: try specifier.value()) else { throw unknown }
      return .bytes(labels.described)
    case kAudioFormatProperty_ChannelLayoutForBitmap:
      let labels = ChannelLabels(bitmap: AudioChannelBitmap(rawValue: try specifier.value()))
      guard !labels.labels.isEmpty else { throw unknown }
      return .bytes(labels.described)
    case kAudioFormatProperty_BitmapForLayoutTag:
      guard let bitmap = ChannelLabels(tag: try specifier.value())?.bitmap else { throw unknown }
      return .init([bitmap.rawValue])
    case kAudioFormatProperty_TagsForNumberOfChannels:
      let count: UInt32 = try specifier.value()
      return .init(LayoutTags.tags(channelCount: Int(count)))
    default: return nil
    }
  }

  private static func label(_ specifier: FormatSpecifier) throws(StatusError) -> AudioChannelLabel {
    try specifier.value(AudioChannelDescription.self).mChannelLabel
  }

  /// FNV-1a of the labels: the same for layouts that are equivalent.
  private static func hash(_ labels: ChannelLabels) -> UInt32 {
    labels.labels.reduce(0x811C_9DC5) { ($0 ^ $1) &* 0x0100_0193 }
  }

  /// The gains from each input channel to each output channel, the outputs of one input together.
  private static func matrix(
    _ input: ChannelLayout, _ output: ChannelLayout
  ) throws(StatusError) -> [Float] {
    guard max(input.roles.count, output.roles.count) <= 64 else { throw unknown }
    do throws(SoundFileError) {
      let converter = try SoundConverter(
        from: SoundConverter.Form(rate: .hertz48000, layout: input),
        to: SoundConverter.Form(rate: .hertz48000, layout: output))
      let count = input.roles.count
      let units = (0..<count * count).map { $0 % (count + 1) == 0 ? Float(1) : 0 }
      converter.push(units.span)
      converter.finish()
      return converter.take(Float.self, frameCount: count)
    } catch {
      throw unknown
    }
  }
}
