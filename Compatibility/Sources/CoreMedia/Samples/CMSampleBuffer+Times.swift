// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

extension CMSampleBuffer {
  /// The time of the first sample; `.invalid` if it is not stated.
  public var presentationTimeStamp: CMTime {
    contents.timings.map(\.presentationTimeStamp).filter(\.isValid).min() ?? .invalid
  }

  /// The time at which the first sample is decoded; `.invalid` if it is the same.
  public var decodeTimeStamp: CMTime { contents.timings.first?.decodeTimeStamp ?? .invalid }

  /// The length of all samples; `.invalid` if it is not stated.
  public var duration: CMTime {
    guard let first = contents.timings.first else { return .invalid }
    guard contents.timings.count == 1 else {
      return contents.timings.dropFirst().reduce(first.duration) { CMTimeAdd($0, $1.duration) }
    }
    let (value, isTooLong) = first.duration.value.multipliedReportingOverflow(
      by: Int64(contents.count))
    guard first.duration.isNumeric, !isTooLong else { return first.duration }
    return CMTime(value: value, timescale: first.duration.timescale)
  }

  /// The time at which the samples that remain after trimming are presented.
  public var outputPresentationTimeStamp: CMTime {
    if let stated = statedOutputTime { return stated }
    guard let start = trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart) else {
      return presentationTimeStamp
    }
    return CMTimeAdd(presentationTimeStamp, start)
  }

  /// The decode time; `.invalid` if it is the same as the presentation time.
  public var outputDecodeTimeStamp: CMTime { decodeTimeStamp }

  /// The length of the samples that remain after trimming.
  public var outputDuration: CMTime {
    let start = trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    let end = trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    return [start, end].compactMap { $0 }.reduce(duration) { CMTimeSubtract($0, $1) }
  }

  /// Sets the time at which the samples are presented.
  ///
  /// - Parameter outputPresentationTimeStamp: The time; `.invalid` for the usual one.
  /// - Throws: Nothing; Apple's method can fail.
  public func setOutputPresentationTimeStamp(_ outputPresentationTimeStamp: CMTime) throws {
    statedOutputTime = outputPresentationTimeStamp.isValid ? outputPresentationTimeStamp : nil
  }

  /// A duration that is removed after decoding; nil for none.
  package func trim(_ key: CFString) -> CMTime? {
    guard let dictionary = attachment(key.description)?.value as? CFDictionary else { return nil }
    let time = CMTimeMakeFromDictionary(dictionary)
    return time.isNumeric ? time : nil
  }

  /// Returns the times of a sample.
  ///
  /// - Parameter index: The number of the sample.
  /// - Returns: Its times.
  /// - Throws: An `NSError` with `kCMSampleBufferError_SampleIndexOutOfRange` or
  ///   `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
  public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
    guard (0..<contents.count).contains(index) else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_SampleIndexOutOfRange))
    }
    guard let first = contents.timings.first else {
      throw NSError(
        domain: NSOSStatusErrorDomain,
        code: Int(kCMSampleBufferError_BufferHasNoSampleTimingInfo))
    }
    guard contents.timings.count == 1 else { return contents.timings[index] }
    var timing = first
    let (value, isTooLong) = first.duration.value.multipliedReportingOverflow(by: Int64(index))
    let offset =
      isTooLong ? CMTime.invalid : CMTime(value: value, timescale: first.duration.timescale)
    timing.presentationTimeStamp = CMTimeAdd(first.presentationTimeStamp, offset)
    return timing
  }

  /// Returns the times as they are stored: none, one for all samples, or one for each.
  ///
  /// - Returns: The times.
  /// - Throws: An `NSError` with `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
    if contents.timings.isEmpty {
      try MediaStatus.check(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    }
    return contents.timings
  }

  /// The bytes of all samples.
  public var totalSampleSize: Int {
    contents.sizes.count == 1
      ? contents.sizes[0].multipliedReportingOverflow(by: contents.count).partialValue
      : contents.sizes.reduce(0, +)
  }

  /// Returns the bytes of a sample.
  ///
  /// - Parameter index: The number of the sample.
  /// - Returns: The bytes; 0 if they are not stated or the index is outside of the samples.
  public func sampleSize(at index: Int) -> Int {
    guard (0..<contents.count).contains(index) else { return 0 }
    return contents.sizes.count == 1
      ? contents.sizes[0] : contents.sizes.indices.contains(index) ? contents.sizes[index] : 0
  }

  /// Returns the sizes as they are stored: one for all samples, or one for each.
  ///
  /// - Returns: The sizes in bytes.
  /// - Throws: An `NSError` with `kCMSampleBufferError_BufferHasNoSampleSizes`.
  public func sampleSizes() throws -> [Int] {
    if contents.sizes.isEmpty {
      try MediaStatus.check(kCMSampleBufferError_BufferHasNoSampleSizes)
    }
    return contents.sizes
  }
}
