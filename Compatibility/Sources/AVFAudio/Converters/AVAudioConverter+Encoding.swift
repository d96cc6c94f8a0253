// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
public import Foundation

extension AVAudioConverter {
  /// The bit rate of the encoder in bits per second.
  ///
  /// The value is 0 if the output is not compressed or its codec does not have a bit rate setting.
  public var bitRate: Int {
    get { Int(link.number(kAudioConverterEncodeBitRate) ?? 0) }
    set { link.set(kAudioConverterEncodeBitRate, [UInt32(clamping: newValue)]) }
  }

  /// The bit rate strategy of the encoder.
  ///
  /// The value is stored, but not used: each codec uses its own strategy.
  public var bitRateStrategy: String? {
    get { link.strategy }
    set { link.strategy = newValue }
  }

  /// The maximum size of an output packet in bytes, for creating the output buffer.
  public var maximumOutputPacketSize: Int {
    Int(link.number(kAudioConverterPropertyMaximumOutputPacketSize) ?? 0)
  }

  /// All bit rates that the encoder supports, in bits per second; nil if the output is not
  /// compressed.
  public var availableEncodeBitRates: [NSNumber]? {
    ranges(kAudioConverterAvailableEncodeBitRates)
  }

  /// The bit rates that the encoder supports with its current settings, in bits per second; nil if
  /// the output is not compressed.
  public var applicableEncodeBitRates: [NSNumber]? {
    ranges(kAudioConverterApplicableEncodeBitRates)
  }

  /// All sample rates that the encoder supports, in hertz; nil if the output is not compressed.
  public var availableEncodeSampleRates: [NSNumber]? {
    ranges(kAudioConverterAvailableEncodeSampleRates)
  }

  /// The sample rates that the encoder supports with its current settings, in hertz; nil if the
  /// output is not compressed.
  public var applicableEncodeSampleRates: [NSNumber]? {
    ranges(kAudioConverterApplicableEncodeSampleRates)
  }

  /// The channel layout tags that the encoder supports; nil if the output is not compressed.
  public var availableEncodeChannelLayoutTags: [NSNumber]? {
    guard !outputFormat.asbd.isPCM else { return nil }
    return link.list(kAudioConverterAvailableEncodeChannelLayoutTags, UInt32.self)
      .map { NSNumber(value: $0) }
  }

  /// The values of a property that lists ranges: the ends of each.
  private func ranges(_ id: AudioConverterPropertyID) -> [NSNumber]? {
    guard !outputFormat.asbd.isPCM else { return nil }
    return link.list(id, AudioValueRange.self).flatMap { range in
      range.mMinimum == range.mMaximum ? [range.mMinimum] : [range.mMinimum, range.mMaximum]
    }.map { NSNumber(value: $0) }
  }
}
