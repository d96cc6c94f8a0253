// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes

/// The error of Swift methods for a code.
enum MediaStatus {
  /// Throws an `NSError` of `NSOSStatusErrorDomain` for any code but 0.
  static func check(_ status: OSStatus) throws {
    if status != noErr { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
  }
}

/// A parameter is missing or out of range.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// The format description does not contain the value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// No error.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Not enough memory is available for the block.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The version of the custom block source is unknown.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// The offset is outside the buffer.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// The range is not inside the buffer.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A pointer is nil.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705

/// Not enough memory is available for the sample buffer.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A required parameter is nil.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The sample buffer already has data.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data of the sample buffer is not available yet.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// The index of the sample is out of range.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The sample buffer does not have size entries.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The sample buffer does not have timing entries.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The caller's array is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of entries is neither 0, nor 1, nor the number of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The samples are not audio.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data is too short for the samples.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The function does not support the format of the samples.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The sample buffer has been invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
