// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// The memory of each buffer of a list is aligned to 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Returns the data of a sample buffer.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The data; nil if the sample buffer does not have data.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  sbuf.dataBuffer
}

/// Sets the data of a sample buffer that does not have data yet.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - newValue: The data.
/// - Returns: 0 or `kCMSampleBufferError_AlreadyHasDataBuffer`.
@discardableResult
public func CMSampleBufferSetDataBuffer(
  _ sbuf: CMSampleBuffer, newValue: CMBlockBuffer
) -> OSStatus { sbuf.set(newValue) }

/// Sets the data of a sample buffer to a copy of an audio buffer list.
///
/// - Parameters:
///   - sbuf: The sample buffer, which must not have data yet.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: Ignored: the memory is always aligned to 16 bytes.
///   - bufferList: The buffers, which must match the format.
/// - Returns: 0; `kCMSampleBufferError_AlreadyHasDataBuffer`;
///   `kCMSampleBufferError_InvalidMediaFormat` if the number of buffers does not match the format;
///   `kCMSampleBufferError_InvalidSampleData` if the buffers are too short for the samples.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?,
  blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  let list = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
  guard let format = sbuf.audioFormat, unsafe list.count == sbuf.bufferCount else {
    return kCMSampleBufferError_InvalidMediaFormat
  }
  let isPCM = format.mFormatID == kAudioFormatLinearPCM
  var bytes: [UInt8] = []
  for index in unsafe list.indices {
    let size = isPCM ? sbuf.numSamples * Int(format.mBytesPerFrame) : nil
    let stored = Int(unsafe list[index].mDataByteSize)
    guard let data = unsafe list[index].mData, size ?? stored <= stored else {
      return kCMSampleBufferError_InvalidSampleData
    }
    unsafe bytes += UnsafeRawBufferPointer(start: data, count: size ?? stored)
  }
  guard let block = CMBlockBuffer(bytes) else { return kCMSampleBufferError_AllocationFailed }
  let status = sbuf.set(block)
  if status == noErr { sbuf.setReady() }
  return status
}

/// Returns the data of a sample buffer as an audio buffer list, and the block buffer that owns its
/// memory.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - bufferListSizeNeededOut: Receives the size of the list in bytes; may be nil.
///   - bufferListOut: Receives the list; may be nil.
///   - bufferListSize: The size of the memory at `bufferListOut` in bytes.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: `kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment` or 0.
///   - blockBufferOut: Receives the block buffer that owns the memory.
/// - Returns: 0; `kCMSampleBufferError_ArrayTooSmall`; otherwise an error code if the sample buffer
///   does not have data.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  let needed = AudioBufferList.sizeInBytes(maximumBuffers: max(1, sbuf.bufferCount))
  unsafe bufferListSizeNeededOut?.pointee = needed
  guard let bufferListOut = unsafe bufferListOut else { return noErr }
  guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
  do {
    let flag = kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment
    let sound = try sbuf.sound(isAligned: flags & flag != 0)
    unsafe bufferListOut.pointee.mNumberBuffers = UInt32(sbuf.bufferCount)
    unsafe sbuf.fill(UnsafeMutableAudioBufferListPointer(bufferListOut), from: sound)
    unsafe blockBufferOut?.pointee = sound
    return noErr
  } catch {
    return OSStatus(clamping: (error as NSError).code)
  }
}

/// Copies frames of PCM to an audio buffer list.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - frameOffset: The index of the first frame.
///   - numFrames: The number of frames.
///   - bufferList: The buffers, which must match the format and be large enough. Their sizes are
///     set to the copied bytes.
/// - Returns: 0, `kCMSampleBufferError_SampleIndexOutOfRange`,
///   `kCMSampleBufferError_InvalidMediaFormat` or `kCMSampleBufferError_ArrayTooSmall`.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard frameOffset >= 0, numFrames >= 0 else { return kCMSampleBufferError_SampleIndexOutOfRange }
  return unsafe sbuf.copy(
    Int(frameOffset)..<Int(frameOffset) + Int(numFrames),
    UnsafeMutableAudioBufferListPointer(bufferList))
}

/// Copies the packet descriptions of a sample buffer.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - packetDescriptionsSize: The size of the memory at `packetDescriptionsOut` in bytes.
///   - packetDescriptionsOut: Receives the packet descriptions; may be nil.
///   - packetDescriptionsSizeNeededOut: Receives the size of the packet descriptions in bytes, or 0
///     if all packets have the same size; may be nil.
/// - Returns: 0 or `kCMSampleBufferError_ArrayTooSmall`.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptions(
  _ sbuf: CMSampleBuffer, allocatedSize packetDescriptionsSize: Int,
  packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
  let packets = sbuf.contents.packets
  let needed = packets.count * MemoryLayout<AudioStreamPacketDescription>.stride
  unsafe packetDescriptionsSizeNeededOut?.pointee = needed
  guard let target = unsafe packetDescriptionsOut else { return noErr }
  guard packetDescriptionsSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
  for index in packets.indices { unsafe target[index] = packets[index] }
  return noErr
}

/// Returns the number of samples: frames of PCM, or packets.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The number of samples.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// Returns the format of a sample buffer.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The format; nil if it is unknown.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// Returns the total duration of the samples.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The duration; `.invalid` if it is unknown.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the presentation time of the first sample.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The presentation time; `.invalid` if it is unknown.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the decode time of the first sample.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The decode time; `.invalid` if it equals the presentation time.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.decodeTimeStamp
}

/// Returns the presentation time of the first sample that remains after trimming.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The presentation time.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputPresentationTimeStamp
}

/// Sets the presentation time of the output.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - newValue: The time; `.invalid` to compute it from the presentation time and the trimmed
///     duration.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue: CMTime
) -> OSStatus {
  sbuf.statedOutputTime = newValue.isValid ? newValue : nil
  return noErr
}

/// Returns the duration of the samples that remain after trimming.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The duration.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDuration
}

/// Returns the size of a sample.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - sampleIndex: The index of the sample.
/// - Returns: The size in bytes; 0 if it is unknown.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: Int) -> Int {
  sbuf.sampleSize(at: sampleIndex)
}

/// Returns the total size of the samples.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: The size in bytes.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.totalSampleSize
}

/// Returns the times of a sample.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - sampleIndex: The index of the sample.
///   - timingInfoOut: Receives the times.
/// - Returns: 0 or `kCMSampleBufferError_SampleIndexOutOfRange`.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: Int,
  timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
  do {
    unsafe timingInfoOut.pointee = try sbuf.sampleTimingInfo(at: sampleIndex)
    return noErr
  } catch {
    return OSStatus(clamping: (error as NSError).code)
  }
}

/// Returns true if a sample buffer is valid.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: True until `CMSampleBufferInvalidate` is called.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns true if the data of a sample buffer is available.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: True if the data is available.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isDataReady }

/// Declares that the data of a sample buffer is available.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.setReady()
  return noErr
}

/// Calls the callback that supplies the data of a sample buffer, if the data is missing.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: 0, `kCMSampleBufferError_BufferNotReady`, or the error code of the callback.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus { sbuf.readyStatus() }

/// Releases the data of a sample buffer, which is invalid afterwards.
///
/// - Parameter sbuf: The sample buffer.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.makeUnusable()
  return noErr
}
