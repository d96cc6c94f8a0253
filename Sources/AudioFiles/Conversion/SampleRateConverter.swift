// SPDX-License-Identifier: Apache-2.0
internal import CSoxr
public import MusicalTime

/// Converts the sample rate of a stream of interleaved samples, with libsoxr.
///
/// The result is aligned in time with the source: when the stream is finished, n frames have become
/// n × target ÷ source frames, rounded to the nearest.
///
/// - Note: Not real-time safe. Use from one thread at a time.
@safe
public final class SampleRateConverter {
  /// The precision of a conversion; higher precision takes more time.
  public enum Quality: String, Hashable, Sendable, CaseIterable {
    /// 16 bits of precision, with a medium roll-off of high frequencies.
    case medium
    /// 20 bits of precision.
    case high
    /// 28 bits of precision: errors are below −160 dB.
    case veryHigh
  }

  /// The sample rate of the input.
  public let source: SampleRate
  /// The sample rate of the output.
  public let target: SampleRate
  /// The number of channels.
  public let channelCount: Int
  private let library: UnsafePointer<CSoxrTable>
  private let handle: soxr_t
  private let chunk: Int
  private var output: [Double]

  /// The supported rates, in hertz.
  public static let rates = 1000...1_000_000

  /// Creates a converter at the start of a stream.
  ///
  /// - Parameters:
  ///   - source: The input rate.
  ///   - target: The output rate.
  ///   - channelCount: The number of channels, 1…1024.
  ///   - quality: The precision of the conversion.
  /// - Throws: `SoundFileError.impossibleRateChange` for a rate outside 1000…1,000,000 Hz, and
  ///   `SoundFileError.converterMissing` if libsoxr is not installed.
  public init(
    from source: SampleRate, to target: SampleRate, channelCount: Int, quality: Quality = .veryHigh
  ) throws(SoundFileError) {
    for rate in [source, target] where !Self.rates.contains(Int(rate.hertz)) {
      throw .impossibleRateChange(from: Int(source.hertz), to: Int(target.hertz))
    }
    guard let library = unsafe csoxr_table() else { throw .converterMissing }
    var shape = unsafe library.pointee.io_spec(SOXR_FLOAT64_I, SOXR_FLOAT64_I)
    // The usual roll-off of 0.01 dB would be measurable: −100 dB instead of −150 dB.
    var wanted = unsafe library.pointee.quality_spec(quality.recipe, UInt(SOXR_ROLLOFF_NONE))
    var runtime = unsafe library.pointee.runtime_spec(1)
    let made = unsafe library.pointee.create(
      Double(source.hertz), Double(target.hertz), UInt32(channelCount), nil, &shape, &wanted,
      &runtime)
    guard let handle = unsafe made else {
      throw .impossibleRateChange(from: Int(source.hertz), to: Int(target.hertz))
    }
    self.source = source
    self.target = target
    self.channelCount = channelCount
    unsafe self.library = library
    unsafe self.handle = handle
    chunk = FrameChunk.frameCount(atMost: 8192, channelCount: channelCount)
    output = Array(repeating: 0, count: chunk * channelCount)
  }

  deinit {
    unsafe library.pointee.delete(handle)
  }

  /// Converts samples, and appends the output that is ready to `result`.
  ///
  /// - Precondition: `samples` has complete frames, without NaN or infinity.
  /// - Complexity: O(n) in the number of samples.
  public func convert(_ samples: Span<Double>, into result: inout [Double]) {
    precondition(samples.count % channelCount == 0, "samples must be whole frames")
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var done = 0
      let count = samples.count / channelCount
      repeat {
        let step = unsafe process(base + done * channelCount, count - done, &result)
        done += step.taken
        if step.taken == 0, step.given == 0 { break }
      } while done < count
    }
  }

  /// Ends the stream, and appends the rest of the output to `result`.
  public func finish(into result: inout [Double]) {
    while unsafe process(nil, 0, &result).given > 0 {}
  }

  private func process(
    _ input: UnsafePointer<Double>?, _ count: Int, _ result: inout [Double]
  ) -> (taken: Int, given: Int) {
    var taken = 0
    var given = 0
    unsafe output.withUnsafeMutableBufferPointer { buffer in
      _ = unsafe library.pointee.process(
        handle, input, count, &taken, buffer.baseAddress, chunk, &given)
    }
    result.append(contentsOf: output[..<(given * channelCount)])
    return (taken, given)
  }
}

extension SampleRateConverter.Quality {
  fileprivate var recipe: UInt {
    switch self {
    case .medium: UInt(SOXR_MQ)
    case .high: UInt(SOXR_20_BITQ)
    case .veryHigh: UInt(SOXR_28_BITQ)
    }
  }
}
