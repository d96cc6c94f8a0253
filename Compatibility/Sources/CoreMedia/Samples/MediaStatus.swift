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
/// The description does not contain the value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

/// No error.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Memory for the bytes is not available.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The functions of the program's own memory are not those of a known version.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// The offset is outside of the bytes.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// The length is outside of the bytes.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A pointer is nil.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705

/// Memory for the buffer is not available.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A parameter is nil.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The buffer already has data.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
/// The data is not ready.
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
/// The index is outside of the samples.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The buffer does not state the sizes of its samples.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The buffer does not state the times of its samples.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The array of the caller is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of entries is neither 0, nor 1, nor the number of samples.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The samples are not of sound.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data is shorter than the samples.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The format does not fit the function.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743
/// The buffer was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
