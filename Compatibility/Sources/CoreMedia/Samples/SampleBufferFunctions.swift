// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// Buffers of a list begin at multiples of 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Returns the bytes of the samples.
///
/// - Parameter sbuf: The samples.
/// - Returns: The bytes, or nil.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? {
  sbuf.dataBuffer
}

/// Sets the bytes of samples that have none.
///
/// - Parameters:
///   - sbuf: The samples.
///   - newValue: The bytes.
/// - Returns: 0, or `kCMSampleBufferError_AlreadyHasDataBuffer`.
@discardableResult
public func CMSampleBufferSetDataBuffer(
  _ sbuf: CMSampleBuffer, newValue: CMBlockBuffer
) -> OSStatus { sbuf.set(newValue) }

/// Sets the bytes of sound to a copy of a list of buffers.
///
/// - Parameters:
///   - sbuf: The samples, without bytes.
///   - blockBufferAllocator: Not used.
///   - blockBufferMemoryAllocator: Not used.
///   - flags: Not used: buffers begin at multiples of 16 bytes.
///   - bufferList: The buffers of the format.
/// - Returns: 0, `kCMSampleBufferError_AlreadyHasDataBuffer`,
///   `kCMSampleBufferError_InvalidMediaFormat` for another number of buffers, or
///   `kCMSampleBufferError_InvalidSampleData` if the buffers are shorter than the samples.
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

/// Returns the sound as a list of buffers, whose memory belongs to a block buffer.
///
/// - Parameters:
///   - sbuf: The samples.
///   - bufferListSizeNeededOut: Receives the bytes of the list, or nil.
///   - bufferListOut: Receives the list, or nil.
///   - bufferListSize: The bytes that `bufferListOut` has room for.
///   - blockBufferAllocator: Not used.
///   - blockBufferMemoryAllocator: Not used.
///   - flags: `kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment`, or 0.
///   - blockBufferOut: Receives the owner of the memory.
/// - Returns: 0, `kCMSampleBufferError_ArrayTooSmall`, or the code of samples without data.
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

/// Copies frames of PCM into the buffers of a program.
///
/// - Parameters:
///   - sbuf: The samples.
///   - frameOffset: The first frame.
///   - numFrames: The number of frames.
///   - bufferList: The buffers of the format, with room for the frames; their sizes are set.
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

/// Copies the packets in the data.
///
/// - Parameters:
///   - sbuf: The samples.
///   - packetDescriptionsSize: The bytes that `packetDescriptionsOut` has room for.
///   - packetDescriptionsOut: Receives the packets, or nil.
///   - packetDescriptionsSizeNeededOut: Receives the bytes of the packets, 0 if all have one size; or
///     nil.
/// - Returns: 0, or `kCMSampleBufferError_ArrayTooSmall`.
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

/// Returns the number of frames of PCM, or of packets.
///
/// - Parameter sbuf: The samples.
/// - Returns: The number.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }

/// Returns the format of samples.
///
/// - Parameter sbuf: The samples.
/// - Returns: The format, or nil.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
  sbuf.formatDescription
}

/// Returns the length of all samples.
///
/// - Parameter sbuf: The samples.
/// - Returns: The length.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }

/// Returns the time of the first sample.
///
/// - Parameter sbuf: The samples.
/// - Returns: The time.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.presentationTimeStamp
}

/// Returns the time at which the first sample is decoded.
///
/// - Parameter sbuf: The samples.
/// - Returns: The time; `.invalid` if it is the same as the presentation time.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.decodeTimeStamp
}

/// Returns the time at which the samples that remain after trimming are presented.
///
/// - Parameter sbuf: The samples.
/// - Returns: The time.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputPresentationTimeStamp
}

/// Sets the time at which the samples are presented.
///
/// - Parameters:
///   - sbuf: The samples.
///   - newValue: The time; `.invalid` for the usual one.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
  _ sbuf: CMSampleBuffer, newValue: CMTime
) -> OSStatus {
  sbuf.statedOutputTime = newValue.isValid ? newValue : nil
  return noErr
}

/// Returns the length of the samples that remain after trimming.
///
/// - Parameter sbuf: The samples.
/// - Returns: The length.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
  sbuf.outputDuration
}

/// Returns the bytes of a sample.
///
/// - Parameters:
///   - sbuf: The samples.
///   - sampleIndex: The number of the sample.
/// - Returns: The bytes; 0 if they are not stated.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: Int) -> Int {
  sbuf.sampleSize(at: sampleIndex)
}

/// Returns the bytes of all samples.
///
/// - Parameter sbuf: The samples.
/// - Returns: The bytes.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  sbuf.totalSampleSize
}

/// Returns the times of a sample.
///
/// - Parameters:
///   - sbuf: The samples.
///   - sampleIndex: The number of the sample.
///   - timingInfoOut: Receives the times.
/// - Returns: 0, or `kCMSampleBufferError_SampleIndexOutOfRange`.
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

/// Returns true if a buffer was not invalidated.
///
/// - Parameter sbuf: The samples.
/// - Returns: False after `CMSampleBufferInvalidate`.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }

/// Returns true if the bytes of the samples are there.
///
/// - Parameter sbuf: The samples.
/// - Returns: True if they are.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isDataReady }

/// States that the bytes of the samples are there.
///
/// - Parameter sbuf: The samples.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.setReady()
  return noErr
}

/// Asks the program that created the buffer for its bytes, if they are missing.
///
/// - Parameter sbuf: The samples.
/// - Returns: 0, `kCMSampleBufferError_BufferNotReady`, or a code of the program.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus { sbuf.readyStatus() }

/// Releases the bytes; the buffer is not valid afterwards.
///
/// - Parameter sbuf: The samples.
/// - Returns: 0.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.makeUnusable()
  return noErr
}
