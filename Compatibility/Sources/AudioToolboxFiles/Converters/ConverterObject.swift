// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import CCoreAudio
package import CoreAudioHandles
internal import Foundation
internal import MusicalTime

/// A converter: input, change of rate and channels, output.
///
/// One thread at a time uses it; another one waits. The program's callback may call functions of the
/// same converter except those that convert.
package final class ConverterObject: @unchecked Sendable {
  /// The form of the input.
  package enum Input {
    /// Samples.
    case samples(SampleInput)
    /// Packets for a decoder.
    case packets(PacketInput)
  }

  /// The form of the output.
  package enum Output {
    /// Samples.
    case samples(PCMForm)
    /// Packets of an encoder.
    case packets(ConverterEncoding)
  }

  /// The format of the input.
  package let source: AudioStreamBasicDescription
  /// The format of the output.
  package let target: AudioStreamBasicDescription
  /// The properties that were set.
  package var settings = ConverterSettings()
  var input: Input
  var output: Output
  var conversion: FrameConversion?
  var decoder: PacketDecoder?
  var isDecoderOpened = false
  /// The channels of the decoded sound.
  var decodedChannelCount = 0
  /// Decoded samples; those from `decodedStart` on are not converted yet.
  var decoded: [Double] = []
  var decodedStart = 0
  /// Decoded frames that are still to be left out.
  var untrimmed = 0
  /// True if the callback ended the input.
  var isEnded = false
  var isFilling = false
  private let lock = NSRecursiveLock()

  /// Frames that are converted at once.
  static let step = 4096

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - source: the format of the input.
  ///   - target: the format of the output; a rate of 0 is that of the source.
  /// - Throws: `kAudioConverterErr_FormatNotSupported`, or a code for a rate that cannot be changed.
  package init(
    from source: AudioStreamBasicDescription, to target: AudioStreamBasicDescription
  ) throws(StatusError) {
    let (source, target) = (source.completed, Self.completed(target, from: source))
    (self.source, self.target) = (source, target)
    let unsupported = StatusError(kAudioConverterErr_FormatNotSupported)
    if let form = PCMForm(source) {
      input = .samples(SampleInput(form))
    } else {
      guard CodecFormats.decoded.contains(source.mFormatID), source.layer != nil else {
        throw unsupported
      }
      input = .packets(PacketInput())
    }
    if let form = PCMForm(target) {
      output = .samples(form)
    } else {
      guard case .samples(let samples) = input, target.layer != nil else { throw unsupported }
      output = .packets(try Self.encoding(target, ConverterSettings(), samples.form))
    }
    try begin()
    try checkDecoder()
  }

  private static func completed(
    _ target: AudioStreamBasicDescription, from source: AudioStreamBasicDescription
  ) -> AudioStreamBasicDescription {
    var target = target.completed
    if target.mSampleRate == 0 { target.mSampleRate = source.mSampleRate }
    return target
  }

  /// Calls a closure with the converter to itself.
  package func locked<Result>(_ body: () throws(StatusError) -> Result) throws(StatusError)
    -> Result
  {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  static func encoding(
    _ target: AudioStreamBasicDescription, _ settings: ConverterSettings, _ form: PCMForm
  ) throws(StatusError) -> ConverterEncoding {
    do {
      return try ConverterEncoding(
        target, settings, bits: form.layout.numbers == .floating ? 16 : form.layout.bits)
    } catch {
      throw StatusError(kAudioConverterErr_FormatNotSupported)
    }
  }

  /// Begins a stream.
  ///
  /// - Throws: a code for a rate that cannot be changed, or an encoder that cannot be opened.
  func begin() throws(StatusError) {
    (isEnded, conversion, untrimmed) = (false, nil, settings.trimmedFrameCount)
    (decoded, decodedStart) = ([], 0)
    switch input {
    case .samples(var samples):
      samples.forget()
      input = .samples(samples)
      conversion = try conversion(from: samples.form.rate, samples.form.channelCount)
    case .packets: input = .packets(PacketInput())
    }
    if case .packets(let encoding) = output, !encoding.isUnused { try renewEncoding() }
  }

  /// Opens the encoder with the present settings.
  ///
  /// - Throws: `kAudioConverterErr_FormatNotSupported`.
  func renewEncoding() throws(StatusError) {
    guard case .packets = output, case .samples(let samples) = input else { return }
    output = .packets(try Self.encoding(target, settings, samples.form))
  }

  func conversion(
    from rate: SampleRate, _ channelCount: Int
  ) throws(StatusError) -> FrameConversion {
    let targetRate = SampleRate(description: target.mSampleRate) ?? rate
    do {
      return try FrameConversion(
        from: (rate, channelCount), to: (targetRate, Int(target.mChannelsPerFrame)), settings)
    } catch .impossibleRateChange(let from, _) {
      let isInput = !SampleRateConverter.rates.contains(from)
      throw StatusError(
        isInput
          ? kAudioConverterErr_InputSampleRateOutOfRange
          : kAudioConverterErr_OutputSampleRateOutOfRange)
    } catch {
      throw StatusError(kAudioConverterErr_OperationNotSupported)
    }
  }

  /// Forgets the stream so far.
  ///
  /// - Throws: as `begin`.
  package func reset() throws(StatusError) {
    guard !isFilling else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
    isDecoderOpened = false
    decoder = nil
    try begin()
  }
}

extension ConverterObject {
  /// The decoder, opened with the cookie that was set.
  ///
  /// - Throws: `kAudioConverterErr_FormatNotSupported`.
  func openDecoder() throws(StatusError) -> PacketDecoder {
    if let decoder { return decoder }
    guard let layer = source.layer else {
      throw StatusError(kAudioConverterErr_FormatNotSupported)
    }
    do {
      let opened = try PacketDecoder(
        layer, magicCookie: MagicCookie.decoderCookie(settings.decompressionCookie, for: layer))
      decoder = opened
      return opened
    } catch {
      throw StatusError(kAudioConverterErr_FormatNotSupported)
    }
  }

  /// Checks if the source can be decoded, unless that depends on a cookie.
  private func checkDecoder() throws(StatusError) {
    guard case .packets = input else { return }
    switch source.mFormatID {
    case kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatOpus: break
    default: _ = try openDecoder()
    }
  }
}
