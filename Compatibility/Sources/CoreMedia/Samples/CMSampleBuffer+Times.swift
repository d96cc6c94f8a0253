// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

extension CMSampleBuffer {
  /// The presentation time of the first sample; `.invalid` if it is unknown.
  public var presentationTimeStamp: CMTime {
    contents.timings.map(\.presentationTimeStamp).filter(\.isValid).min() ?? .invalid
  }

  /// The decode time of the first sample; `.invalid` if it equals the presentation time.
  public var decodeTimeStamp: CMTime { contents.timings.first?.decodeTimeStamp ?? .invalid }

  /// The total duration of the samples; `.invalid` if it is unknown.
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

  /// The presentation time of the first sample that remains after trimming.
  public var outputPresentationTimeStamp: CMTime {
    if let stated = statedOutputTime { return stated }
    guard let start = trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart) else {
      return presentationTimeStamp
    }
    return CMTimeAdd(presentationTimeStamp, start)
  }

  /// The decode time of the output; `.invalid` if it equals the presentation time.
  public var outputDecodeTimeStamp: CMTime { decodeTimeStamp }

  /// The duration of the samples that remain after trimming.
  public var outputDuration: CMTime {
    let start = trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    let end = trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    return [start, end].compactMap { $0 }.reduce(duration) { CMTimeSubtract($0, $1) }
  }

  /// Sets the presentation time of the output.
  ///
  /// - Parameter outputPresentationTimeStamp: The time; `.invalid` to compute it from the
  ///   presentation time and the trimmed duration.
  /// - Throws: Never; the method is declared as throwing for compatibility with Apple's.
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
  /// - Parameter index: The index of the sample.
  /// - Returns: The times of the sample.
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

  /// Returns the timing entries: one for all samples, or one for each sample.
  ///
  /// - Returns: The timing entries.
  /// - Throws: An `NSError` with `kCMSampleBufferError_BufferHasNoSampleTimingInfo` if the buffer
  ///   does not have timing entries.
  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
    if contents.timings.isEmpty {
      try MediaStatus.check(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    }
    return contents.timings
  }

  /// The total size of the samples in bytes.
  public var totalSampleSize: Int {
    contents.sizes.count == 1
      ? contents.sizes[0].multipliedReportingOverflow(by: contents.count).partialValue
      : contents.sizes.reduce(0, +)
  }

  /// Returns the size of a sample.
  ///
  /// - Parameter index: The index of the sample.
  /// - Returns: The size in bytes; 0 if it is unknown or the index is out of range.
  public func sampleSize(at index: Int) -> Int {
    guard (0..<contents.count).contains(index) else { return 0 }
    return contents.sizes.count == 1
      ? contents.sizes[0] : contents.sizes.indices.contains(index) ? contents.sizes[index] : 0
  }

  /// Returns the size entries: one for all samples, or one for each sample.
  ///
  /// - Returns: The sizes in bytes.
  /// - Throws: An `NSError` with `kCMSampleBufferError_BufferHasNoSampleSizes` if the buffer does
  ///   not have size entries.
  public func sampleSizes() throws -> [Int] {
    if contents.sizes.isEmpty {
      try MediaStatus.check(kCMSampleBufferError_BufferHasNoSampleSizes)
    }
    return contents.sizes
  }
}
