// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation

extension AVAudioFormat {
  /// Creates a format from a dictionary of settings.
  ///
  /// Keys for encoders and sample rate converters are ignored. By default, PCM samples are
  /// interleaved little-endian 16-bit integers, or 32-bit samples if the settings specify floating
  /// point.
  ///
  /// The result is nil if the format, the sample rate or the number of channels is missing, or if a
  /// value has the wrong type. It is also nil if the PCM bit depth is not 8…32 for integers, or 32
  /// or 64 for floating point, or if there are more than two channels without a matching layout.
  ///
  /// - Parameter settings: The settings, by keys such as `AVFormatIDKey`.
  public convenience init?(settings: [String: Any]) {
    do {
      let settings = AudioSettings(settings)
      let layout = try settings.layout()
      guard let id = try settings.unsigned(AVFormatIDKey),
        let rate = try settings.number(AVSampleRateKey), rate > 0,
        let channels = try settings.unsigned(AVNumberOfChannelsKey) ?? layout?.channelCount,
        var description = try AudioStreamBasicDescription(
          id, rate: rate, channels: channels, settings)
      else { return nil }
      unsafe self.init(streamDescription: &description, channelLayout: layout)
    } catch {
      return nil
    }
  }

  /// The format as settings.
  var settingsOfFormat: [String: Any] {
    var result: [String: Any] = [
      AVFormatIDKey: NSNumber(value: asbd.mFormatID),
      AVSampleRateKey: NSNumber(value: sampleRate),
      AVNumberOfChannelsKey: NSNumber(value: channelCount),
    ]
    if let layout = channelLayout { result[AVChannelLayoutKey] = layout.data }
    guard asbd.isPCM else { return result }
    let flags = asbd.mFormatFlags
    result[AVLinearPCMBitDepthKey] = NSNumber(value: asbd.mBitsPerChannel)
    result[AVLinearPCMIsFloatKey] = NSNumber(value: flags & kAudioFormatFlagIsFloat != 0)
    result[AVLinearPCMIsBigEndianKey] = NSNumber(value: flags & kAudioFormatFlagIsBigEndian != 0)
    result[AVLinearPCMIsNonInterleaved] = NSNumber(value: asbd.isPlanar)
    return result
  }
}

extension AudioStreamBasicDescription {
  /// Describes the format of settings; nil if it cannot exist.
  fileprivate init?(
    _ id: AudioFormatID, rate: Double, channels: UInt32, _ settings: AudioSettings
  ) throws(AudioSettings.WrongType) {
    guard (1...1024).contains(channels) else { return nil }
    guard id == kAudioFormatLinearPCM else {
      self.init(compressed: id, rate: rate, channels: channels)
      if id == kAudioFormatAppleLossless {
        mFormatFlags = Self.losslessFlag(Int(try settings.unsigned(AVEncoderBitDepthHintKey) ?? 16))
      }
      return
    }
    let isFloat = try settings.flag(AVLinearPCMIsFloatKey) ?? false
    let bits = try settings.unsigned(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
    guard isFloat ? bits == 32 || bits == 64 : (8...32).contains(bits) else { return nil }
    self.init(
      pcmBits: Int(bits), isFloat: isFloat,
      isBigEndian: try settings.flag(AVLinearPCMIsBigEndianKey) ?? false, sampleRate: rate,
      channels: channels,
      interleaved: !(try settings.flag(AVLinearPCMIsNonInterleaved) ?? false))
  }

  /// Describes packets of a codec.
  ///
  /// - Parameters:
  ///   - id: The codec.
  ///   - rate: Frames per second.
  ///   - channels: The number of channels.
  package init(compressed id: AudioFormatID, rate: Double, channels: UInt32) {
    // Packets of Opus are 20 ms at any rate; a rate from a program can be negative.
    let isOpus = id == kAudioFormatOpus && rate > 0
    self.init(
      mSampleRate: rate, mFormatID: id, mFormatFlags: 0, mBytesPerPacket: 0,
      mFramesPerPacket: isOpus ? UInt32(min(rate / 50, 48_000)) : 0, mBytesPerFrame: 0,
      mChannelsPerFrame: channels, mBitsPerChannel: 0, mReserved: 0)
    self = completed
  }
}
