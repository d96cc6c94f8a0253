// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
public import Foundation

extension AVAudioConverter {
  /// Bits per second of the encoder; 0 without an encoder that has a bit rate.
  public var bitRate: Int {
    get { Int(link.number(kAudioConverterEncodeBitRate) ?? 0) }
    set { link.set(kAudioConverterEncodeBitRate, [UInt32(clamping: newValue)]) }
  }

  /// The bit rate strategy of the encoder; encoders here use the one that their codec has.
  public var bitRateStrategy: String? {
    get { link.strategy }
    set { link.strategy = newValue }
  }

  /// The largest packet of the output in bytes; for a buffer that receives packets.
  public var maximumOutputPacketSize: Int {
    Int(link.number(kAudioConverterPropertyMaximumOutputPacketSize) ?? 0)
  }

  /// Bit rates of the encoder; nil without one.
  public var availableEncodeBitRates: [NSNumber]? {
    ranges(kAudioConverterAvailableEncodeBitRates)
  }

  /// Bit rates of the encoder that the current settings permit; nil without one.
  public var applicableEncodeBitRates: [NSNumber]? {
    ranges(kAudioConverterApplicableEncodeBitRates)
  }

  /// Sample rates of the encoder; nil without one.
  public var availableEncodeSampleRates: [NSNumber]? {
    ranges(kAudioConverterAvailableEncodeSampleRates)
  }

  /// Sample rates of the encoder that the current settings permit; nil without one.
  public var applicableEncodeSampleRates: [NSNumber]? {
    ranges(kAudioConverterApplicableEncodeSampleRates)
  }

  /// Channel layouts of the encoder, as tags; nil without one.
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
