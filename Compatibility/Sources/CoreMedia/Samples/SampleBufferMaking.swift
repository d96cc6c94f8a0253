// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// A callback that supplies the data of a sample buffer when the data is needed.
public typealias CMSampleBufferMakeDataReadyCallback = (
  CMSampleBuffer, UnsafeMutableRawPointer?
) -> OSStatus

/// Creates a sample buffer.
///
/// - Parameters:
///   - allocator: Ignored.
///   - dataBuffer: The data; may be nil.
///   - dataReady: True if the data is already available.
///   - makeDataReadyCallback: Supplies the data later; may be nil.
///   - refcon: A value that is passed to `makeDataReadyCallback`.
///   - formatDescription: The format; may be nil.
///   - numSamples: The number of samples: frames of PCM, or packets.
///   - sampleTimingEntryCount: 0, 1 or the number of samples.
///   - sampleTimingArray: The timing entries.
///   - sampleSizeEntryCount: 0, 1 or the number of samples.
///   - sampleSizeArray: The sizes of the samples in bytes.
///   - sampleBufferOut: Receives the sample buffer.
/// - Returns: 0; `kCMSampleBufferError_InvalidEntryCount`;
///   `kCMSampleBufferError_RequiredParameterMissing`; `kCMSampleBufferError_InvalidSampleData` if
///   the data is too short for the samples.
@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount numSamples: CMItemCount,
  sampleTimingEntryCount: CMItemCount, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleSizeEntryCount: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard numSamples >= 0, isEntryCount(sampleTimingEntryCount, numSamples),
    isEntryCount(sampleSizeEntryCount, numSamples)
  else { return kCMSampleBufferError_InvalidEntryCount }
  guard unsafe sampleTimingEntryCount == 0 || sampleTimingArray != nil,
    unsafe sampleSizeEntryCount == 0 || sampleSizeArray != nil
  else { return kCMSampleBufferError_RequiredParameterMissing }
  var contents = CMSampleBuffer.Contents()
  (contents.format, contents.count) = (formatDescription, numSamples)
  contents.timings = unsafe Array(
    UnsafeBufferPointer(start: sampleTimingArray, count: sampleTimingEntryCount))
  contents.sizes = unsafe Array(
    UnsafeBufferPointer(start: sampleSizeArray, count: sampleSizeEntryCount))
  guard contents.sizes.allSatisfy({ $0 >= 0 }), contents.fits(dataBuffer) else {
    return kCMSampleBufferError_InvalidSampleData
  }
  contents.setPackets()
  nonisolated(unsafe) let value = unsafe refcon
  unsafe sampleBufferOut.pointee = unsafe CMSampleBuffer(
    contents, dataBuffer, isReady: dataReady,
    makeReady: makeDataReadyCallback.map { callback in { unsafe callback($0, value) } })
  return noErr
}

private func isEntryCount(_ count: Int, _ samples: Int) -> Bool {
  count == 0 || count == 1 || count == samples
}

extension CMSampleBuffer.Contents {
  /// True if data contains the samples, or is missing.
  fileprivate func fits(_ data: CMBlockBuffer?) -> Bool {
    guard let data, !sizes.isEmpty else { return true }
    var sum = 0
    for size in sizes.count == 1 ? [] : sizes {
      let (next, isTooLong) = sum.addingReportingOverflow(size)
      if isTooLong { return false }
      sum = next
    }
    if sizes.count == 1 {
      let (product, isTooLong) = sizes[0].multipliedReportingOverflow(by: count)
      if isTooLong { return false }
      sum = product
    }
    return sum <= data.dataLength
  }

  /// States the packets of a codec, which follow one another.
  fileprivate mutating func setPackets() {
    let description = format?.audioStreamBasicDescription
    guard let description, description.mFormatID != kAudioFormatLinearPCM,
      description.mBytesPerPacket == 0, sizes.count == count
    else { return }
    var place: Int64 = 0
    packets = sizes.map { size in
      defer { place += Int64(size) }
      return AudioStreamPacketDescription(
        mStartOffset: place, mVariableFramesInPacket: 0, mDataByteSize: UInt32(clamping: size))
    }
  }
}

/// Creates a sample buffer whose data is already available.
///
/// - Parameters:
///   - allocator: Ignored.
///   - dataBuffer: The data; may be nil.
///   - formatDescription: The format; may be nil.
///   - numSamples: The number of samples: frames of PCM, or packets.
///   - sampleTimingEntryCount: 0, 1 or the number of samples.
///   - sampleTimingArray: The timing entries.
///   - sampleSizeEntryCount: 0, 1 or the number of samples.
///   - sampleSizeArray: The sizes of the samples in bytes.
///   - sampleBufferOut: Receives the sample buffer.
/// - Returns: The same codes as `CMSampleBufferCreate`.
@discardableResult
public func CMSampleBufferCreateReady(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
  sampleCount numSamples: CMItemCount, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  unsafe CMSampleBufferCreate(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil,
    refcon: nil, formatDescription: formatDescription, sampleCount: numSamples,
    sampleTimingEntryCount: sampleTimingEntryCount, sampleTimingArray: sampleTimingArray,
    sampleSizeEntryCount: sampleSizeEntryCount, sampleSizeArray: sampleSizeArray,
    sampleBufferOut: sampleBufferOut)
}

/// Creates a sample buffer for audio.
///
/// - Parameters:
///   - allocator: Ignored.
///   - dataBuffer: The data; may be nil.
///   - dataReady: True if the data is already available.
///   - makeDataReadyCallback: Supplies the data later; may be nil.
///   - refcon: A value that is passed to `makeDataReadyCallback`.
///   - formatDescription: The format.
///   - numSamples: The number of samples: frames of PCM, or packets.
///   - presentationTimeStamp: The presentation time of the first sample.
///   - packetDescriptions: The descriptions of the packets; nil if all packets have the same size.
///   - sampleBufferOut: Receives the sample buffer.
/// - Returns: 0; `kCMSampleBufferError_InvalidSampleData` if the data is too short for the samples.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount,
  presentationTimeStamp: CMTime, packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard numSamples >= 0 else { return kCMSampleBufferError_InvalidEntryCount }
  let packets = unsafe packetDescriptions.map {
    unsafe Array(UnsafeBufferPointer(start: $0, count: numSamples))
  }
  guard
    let contents = CMSampleBuffer.Contents(
      sound: formatDescription, numSamples, presentationTimeStamp, packets ?? [], in: dataBuffer)
  else { return kCMSampleBufferError_InvalidSampleData }
  nonisolated(unsafe) let value = unsafe refcon
  unsafe sampleBufferOut.pointee = unsafe CMSampleBuffer(
    contents, dataBuffer, isReady: dataReady,
    makeReady: makeDataReadyCallback.map { callback in { unsafe callback($0, value) } })
  return noErr
}

/// Creates a sample buffer for audio whose data is already available.
///
/// - Parameters:
///   - allocator: Ignored.
///   - dataBuffer: The data.
///   - formatDescription: The format.
///   - numSamples: The number of samples: frames of PCM, or packets.
///   - presentationTimeStamp: The presentation time of the first sample.
///   - packetDescriptions: The descriptions of the packets; nil if all packets have the same size.
///   - sampleBufferOut: Receives the sample buffer.
/// - Returns: The same codes as `CMAudioSampleBufferCreateWithPacketDescriptions`.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  unsafe CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil,
    refcon: nil, formatDescription: formatDescription, sampleCount: numSamples,
    presentationTimeStamp: presentationTimeStamp, packetDescriptions: packetDescriptions,
    sampleBufferOut: sampleBufferOut)
}

/// Creates a copy of a sample buffer with other times, but the same data.
///
/// - Parameters:
///   - allocator: Ignored.
///   - originalSBuf: The sample buffer to copy.
///   - numSampleTimingEntries: 0, 1 or the number of samples.
///   - sampleTimingArray: The timing entries.
///   - sampleBufferOut: Receives the copy.
/// - Returns: 0 or `kCMSampleBufferError_InvalidEntryCount`.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer,
  sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard isEntryCount(numSampleTimingEntries, originalSBuf.numSamples),
    unsafe numSampleTimingEntries == 0 || sampleTimingArray != nil
  else { return kCMSampleBufferError_InvalidEntryCount }
  let timings = unsafe Array(
    UnsafeBufferPointer(start: sampleTimingArray, count: numSampleTimingEntries))
  unsafe sampleBufferOut.pointee = CMSampleBuffer(originalSBuf, timings)
  return noErr
}
