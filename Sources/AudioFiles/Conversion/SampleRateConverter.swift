// SPDX-License-Identifier: Apache-2.0
internal import CSoxr
public import MusicalTime

/// Changes the rate of a stream of interleaved samples: libsoxr, at its very high quality.
///
/// The result lies in time where the source does: n frames become n times the ratio of the rates,
/// to the nearest, once the stream has been finished.
///
/// - Note: Not real-time safe. One thread at a time.
@safe
public final class SampleRateConverter {
  /// How exact the result is; the more exact, the longer it takes.
  public enum Quality: String, Hashable, Sendable, CaseIterable {
    /// 16 bits, a medium roll-off.
    case medium
    /// 20 bits.
    case high
    /// 28 bits: what the converter leaves behind lies below −160 dB.
    case veryHigh
  }

  /// The rate of what comes in.
  public let source: SampleRate
  /// The rate of what goes out.
  public let target: SampleRate
  /// The samples in a frame.
  public let channelCount: Int
  private let library: UnsafePointer<CSoxrTable>
  private let handle: soxr_t
  private let chunk: Int
  private var output: [Double]

  /// The rates that can be converted, in hertz.
  public static let rates = 1000...1_000_000

  /// Creates a converter at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - source: the rate of what comes in.
  ///   - target: the rate of what goes out.
  ///   - channelCount: the samples in a frame, 1…1024.
  ///   - quality: how exact the result is.
  /// - Throws: `SoundFileError.impossibleRateChange` for a rate outside 1000…1 000 000 Hz,
  ///   `SoundFileError.converterMissing` without libsoxr.
  public init(
    from source: SampleRate, to target: SampleRate, channelCount: Int, quality: Quality = .veryHigh
  ) throws(SoundFileError) {
    for rate in [source, target] where !Self.rates.contains(Int(rate.hertz)) {
      throw .impossibleRateChange(from: Int(source.hertz), to: Int(target.hertz))
    }
    guard let library = unsafe csoxr_table() else { throw .converterMissing }
    var shape = unsafe library.pointee.io_spec(SOXR_FLOAT64_I, SOXR_FLOAT64_I)
    // The usual roll-off of 0.01 dB would be heard by a measurement: -100 dB beside -150.
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

  /// Takes samples and appends the part of the result that is ready.
  ///
  /// - Precondition: the count is a whole number of frames; the samples are numbers.
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

  /// Appends what the converter still holds back: the end of the stream.
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
