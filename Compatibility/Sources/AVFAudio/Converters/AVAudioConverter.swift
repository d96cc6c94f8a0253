// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
public import Foundation

/// Converts sound from one format to another: PCM to PCM, PCM to packets, packets to PCM.
open class AVAudioConverter: NSObject {
  /// The format of the input.
  public let inputFormat: AVAudioFormat
  /// The format of the output.
  public let outputFormat: AVAudioFormat
  let link: ConverterLink

  /// Creates a converter.
  ///
  /// The result is nil if sound cannot be converted between the formats.
  ///
  /// - Parameters:
  ///   - fromFormat: The format of the input; its magic cookie is that of the packets.
  ///   - toFormat: The format of the output.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard let link = ConverterLink(fromFormat, toFormat) else { return nil }
    (inputFormat, outputFormat, self.link) = (fromFormat, toFormat, link)
    super.init()
  }

  /// Begins another stream.
  open func reset() { link.reset() }

  /// Converts PCM samples without a change of the sample rate.
  ///
  /// - Parameters:
  ///   - outputBuffer: A buffer of the output format, with room for all frames of the input.
  ///   - inputBuffer: A buffer of the input format.
  /// - Throws: An `NSError`: −50 for another format or too little room;
  ///   `kAudioConverterErr_OperationNotSupported` for packets and a change of the rate.
  open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
    let call = "convert(to:from:)"
    guard inputBuffer.format.isEqual(inputFormat), outputBuffer.format.isEqual(outputFormat),
      outputBuffer.frameCapacity >= inputBuffer.frameLength
    else { throw AVFAudioError.error(kAudio_ParamError, call: call) }
    let status = link.convert(inputBuffer, to: outputBuffer)
    guard status == noErr else { throw AVFAudioError.error(status, call: call) }
  }

  /// Converts sound that a block provides.
  ///
  /// The buffer is filled if the block provides enough. `frameLength`, or `packetCount` and
  /// `byteLength`, are afterwards those of the converted sound.
  ///
  /// - Parameters:
  ///   - outputBuffer: A buffer of the output format.
  ///   - outError: Receives the error.
  ///   - inputBlock: Provides the input; it is called on this thread.
  /// - Returns: The result.
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

  /// The input channel of each output channel, −1 for silence.
  open var channelMap: [NSNumber] {
    get { link.list(kAudioConverterChannelMap, Int32.self).map { NSNumber(value: $0) } }
    set {
      link.set(kAudioConverterChannelMap, newValue.map { Int32(truncatingIfNeeded: $0.intValue) })
    }
  }

  /// Data that a decoder of the packets needs: of the input if it is packets, otherwise of the
  /// output; or nil.
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

  /// True to mix channels that become fewer; false, the default, to leave channels out.
  open var downmix: Bool {
    get { link.isMixing }
    set { link.isMixing = newValue }
  }

  /// True to add noise before samples are rounded to integers; false by default.
  open var dither: Bool {
    get { link.number(kAudioConverterPropertyDithering) ?? 0 != 0 }
    set {
      link.set(kAudioConverterPropertyDithering, [newValue ? UInt32(kDitherAlgorithm_TPDF) : 0])
    }
  }

  /// The quality of a change of the sample rate: the raw value of an `AVAudioQuality`.
  open var sampleRateConverterQuality: Int {
    get { Int(link.number(kAudioConverterSampleRateConverterQuality) ?? 0) }
    set {
      let quality = UInt32(clamping: min(newValue, AVAudioQuality.max.rawValue))
      link.set(kAudioConverterSampleRateConverterQuality, [quality])
    }
  }

  /// The algorithm of a change of the sample rate: an `AVSampleRateConverterAlgorithm_…`.
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

  /// The way in which a change of the sample rate begins; `normal` by default.
  open var primeMethod: AVAudioConverterPrimeMethod {
    get {
      link.number(kAudioConverterPrimeMethod)
        .flatMap { AVAudioConverterPrimeMethod(rawValue: Int($0)) } ?? .normal
    }
    set { link.set(kAudioConverterPrimeMethod, [UInt32(newValue.rawValue)]) }
  }

  /// Frames of the input that are needed before the first and after the last.
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
