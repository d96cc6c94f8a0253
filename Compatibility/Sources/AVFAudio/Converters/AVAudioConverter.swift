// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
public import Foundation

/// A converter between audio formats: from PCM to PCM, from PCM to compressed packets, or from
/// packets to PCM.
open class AVAudioConverter: NSObject {
  /// The format of the input.
  public let inputFormat: AVAudioFormat
  /// The format of the output.
  public let outputFormat: AVAudioFormat
  let link: ConverterLink

  /// Creates a converter between two formats.
  ///
  /// The result is nil if the conversion is not supported.
  ///
  /// - Parameters:
  ///   - fromFormat: The format of the input. For packets, its magic cookie is passed to the
  ///     decoder.
  ///   - toFormat: The format of the output.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard let link = ConverterLink(fromFormat, toFormat) else { return nil }
    (inputFormat, outputFormat, self.link) = (fromFormat, toFormat, link)
    super.init()
  }

  /// Resets the converter, so that it can convert a new stream.
  open func reset() { link.reset() }

  /// Converts a buffer of PCM samples without changing the sample rate.
  ///
  /// - Parameters:
  ///   - outputBuffer: A buffer in the output format, with room for all frames of the input.
  ///   - inputBuffer: A buffer in the input format.
  /// - Throws: An `NSError`: −50 if a buffer has a different format or the output buffer is too
  ///   small; `kAudioConverterErr_OperationNotSupported` if a format is compressed or the sample
  ///   rates differ.
  open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    let call = "convert(to:from:)"
    guard inputBuffer.format.isEqual(inputFormat), outputBuffer.format.isEqual(outputFormat),
      outputBuffer.frameCapacity >= inputBuffer.frameLength
    else { throw AVFAudioError.error(kAudio_ParamError, call: call) }
    let status = link.convert(inputBuffer, to: outputBuffer)
    guard status == noErr else { throw AVFAudioError.error(status, call: call) }
  }

  /// Fills a buffer with converted audio, and calls a block to get the input.
  ///
  /// The length of the buffer is set: `frameLength` for PCM, or `packetCount` and `byteLength` for
  /// packets. The buffer is filled completely if the block provides enough input.
  ///
  /// - Parameters:
  ///   - outputBuffer: A buffer in the output format.
  ///   - outError: Receives the error, if one occurs; may be nil.
  ///   - inputBlock: The block that provides the input. It is called on the current thread.
  /// - Returns: The result of the conversion.
  open func convert(
    to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?,
    withInputFrom inputBlock: @escaping AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    let feed = unsafe ConverterFeed(inputFormat, inputBlock)
    guard outputBuffer.format.isEqual(outputFormat) else {
      return unsafe report(kAudio_ParamError, outError)
    }
    let (status, count) = link.fill(outputBuffer, from: feed)
    switch status {
    case noErr: return count > 0 ? .haveData : .endOfStream
    case ConverterFeed.ranDry: return .inputRanDry
    default: return unsafe report(status, outError)
    }
  }

  @unsafe
  private func report(
    _ status: OSStatus, _ outError: UnsafeMutablePointer<NSError?>?
  ) -> AVAudioConverterOutputStatus {
    let call = "convert(to:error:withInputFrom:)"
    unsafe outError?.pointee = AVFAudioError.error(status, call: call)
    return .error
  }

  /// The number of the input channel for each output channel, counted from 0; −1 for silence.
  open var channelMap: [NSNumber] {
    get { link.list(kAudioConverterChannelMap, Int32.self).map { NSNumber(value: $0) } }
    set {
      link.set(kAudioConverterChannelMap, newValue.map { Int32(truncatingIfNeeded: $0.intValue) })
    }
  }

  /// The magic cookie of the compressed format: bytes that a decoder needs before the first packet.
  ///
  /// If the input is compressed, this is the cookie of the input, otherwise the cookie that the
  /// encoder created for the output. The value is nil if the format does not have a cookie.
  open var magicCookie: Data? {
    get {
      let id =
        inputFormat.asbd.isPCM
        ? kAudioConverterCompressionMagicCookie : kAudioConverterDecompressionMagicCookie
      let bytes = link.list(id, UInt8.self)
      return bytes.isEmpty ? nil : Data(bytes)
    }
    set {
      link.set(kAudioConverterDecompressionMagicCookie, newValue.map { [UInt8]($0) } ?? [])
    }
  }

  /// True to mix down when the output has fewer channels than the input; false, the default, to
  /// drop the input channels that the output does not have.
  open var downmix: Bool {
    get { link.isMixing }
    set { link.isMixing = newValue }
  }

  /// True to add dither, which is quiet noise, before samples are rounded to integers; false by
  /// default.
  open var dither: Bool {
    get { link.number(kAudioConverterPropertyDithering) ?? 0 != 0 }
    set {
      link.set(kAudioConverterPropertyDithering, [newValue ? UInt32(kDitherAlgorithm_TPDF) : 0])
    }
  }

  /// The quality of sample rate conversion: the raw value of an `AVAudioQuality`.
  open var sampleRateConverterQuality: Int {
    get { Int(link.number(kAudioConverterSampleRateConverterQuality) ?? 0) }
    set {
      let quality = UInt32(clamping: min(newValue, AVAudioQuality.max.rawValue))
      link.set(kAudioConverterSampleRateConverterQuality, [quality])
    }
  }

  /// The algorithm of sample rate conversion: a string constant such as
  /// `AVSampleRateConverterAlgorithm_Normal`.
  open var sampleRateConverterAlgorithm: String? {
    get {
      let complexity = link.number(kAudioConverterSampleRateConverterComplexity)
      return ConverterLink.algorithms.first { $0.1 == complexity }?.0
    }
    set {
      let complexity = ConverterLink.algorithms.first { $0.0 == newValue }?.1
      link.set(
        kAudioConverterSampleRateConverterComplexity,
        [complexity ?? UInt32(kAudioConverterSampleRateConverterComplexity_Normal)])
    }
  }

  /// The method by which sample rate conversion is primed at the start of a stream; `normal` by
  /// default.
  open var primeMethod: AVAudioConverterPrimeMethod {
    get {
      link.number(kAudioConverterPrimeMethod)
        .flatMap { AVAudioConverterPrimeMethod(rawValue: Int($0)) } ?? .normal
    }
    set { link.set(kAudioConverterPrimeMethod, [UInt32(newValue.rawValue)]) }
  }

  /// The priming of sample rate conversion: the numbers of extra input frames that the converter
  /// needs before the first frame and after the last.
  open var primeInfo: AVAudioConverterPrimeInfo {
    get {
      let info = link.list(kAudioConverterPrimeInfo, AudioConverterPrimeInfo.self).first
      return AVAudioConverterPrimeInfo(
        leadingFrames: info?.leadingFrames ?? 0, trailingFrames: info?.trailingFrames ?? 0)
    }
    set {
      link.set(
        kAudioConverterPrimeInfo,
        [
          AudioConverterPrimeInfo(
            leadingFrames: newValue.leadingFrames, trailingFrames: newValue.trailingFrames)
        ])
    }
  }
}
