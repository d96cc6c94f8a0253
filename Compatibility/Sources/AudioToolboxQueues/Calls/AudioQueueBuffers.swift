// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// Allocates a buffer, which belongs to the queue until you free the buffer or dispose of the
/// queue.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBufferByteSize: the size of the buffer in bytes, at least 1.
///   - outBuffer: receives the buffer, or nil after an error.
/// - Returns: 0; −50 if the queue does not exist or the size is 0; −108 if not enough memory is
///   available.
@discardableResult
public func AudioQueueAllocateBuffer(
  _ inAQ: AudioQueueRef?, _ inBufferByteSize: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
  unsafe AudioQueueAllocateBufferWithPacketDescriptions(inAQ, inBufferByteSize, 0, outBuffer)
}

/// Allocates a buffer with space for packet descriptions.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBufferByteSize: the size of the buffer in bytes, at least 1.
///   - inNumberPacketDescriptions: the maximum number of packet descriptions.
///   - outBuffer: receives the buffer, or nil after an error.
/// - Returns: the same codes as `AudioQueueAllocateBuffer`.
@discardableResult
public func AudioQueueAllocateBufferWithPacketDescriptions(
  _ inAQ: AudioQueueRef?, _ inBufferByteSize: UInt32, _ inNumberPacketDescriptions: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let target = unsafe try given(outBuffer)
    unsafe target.pointee = nil
    let queue: QueueObject = unsafe try object(inAQ)
    unsafe target.pointee = try queue.allocate(
      inBufferByteSize, packets: inNumberPacketDescriptions)
  }
}

/// Frees a buffer that is not enqueued.
///
/// If a callback for the buffer is pending, it is not called.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBuffer: the buffer.
/// - Returns: 0; `kAudioQueueErr_InvalidBuffer`; `kAudioQueueErr_BufferInQueue`; −50 if the queue
///   does not exist.
@discardableResult
public func AudioQueueFreeBuffer(
  _ inAQ: AudioQueueRef?, _ inBuffer: AudioQueueBufferRef?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    unsafe try queue.free(inBuffer)
  }
}

/// Adds a buffer to the end of a queue, to be played or to be filled.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBuffer: the buffer.
///   - inNumPacketDescs: the number of packet descriptions; 0 if all packets have the same size, or
///     if the descriptions are in the buffer.
///   - inPacketDescs: the packet descriptions.
/// - Returns: 0; `kAudioQueueErr_InvalidBuffer`; `kAudioQueueErr_BufferEnqueuedTwice`;
///   `kAudioQueueErr_BufferEmpty`; `kAudioQueueErr_CodecNotFound`;
///   `kAudioConverterErr_RequiresPacketDescriptionsError`; −50 if a packet is not inside the
///   buffer.
@discardableResult
public func AudioQueueEnqueueBuffer(
  _ inAQ: AudioQueueRef?, _ inBuffer: AudioQueueBufferRef?, _ inNumPacketDescs: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    unsafe try queue.enqueue(BufferOrder(inBuffer, inNumPacketDescs, inPacketDescs))
  }
}

/// Adds a buffer to the end of a playback queue, with trimming, parameters and a start time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inBuffer: the buffer.
///   - inNumPacketDescs: the number of packet descriptions; 0 if all packets have the same size, or
///     if the descriptions are in the buffer.
///   - inPacketDescs: the packet descriptions.
///   - inTrimFramesAtStart: the number of frames to skip at the start of the buffer.
///   - inTrimFramesAtEnd: the number of frames to skip at the end of the buffer.
///   - inNumParamValues: the number of parameters.
///   - inParamValues: the parameters to set when the buffer starts to play.
///   - inStartTime: the frame of the queue at which the buffer starts; nil to start it right after
///     the previous buffer.
///   - outActualStartTime: receives the frame at which the buffer starts. If the frame is not
///     known, no field is marked as valid.
/// - Returns: the same codes as `AudioQueueEnqueueBuffer`; `kAudioQueueErr_InvalidQueueType` for a
///   recording queue; `kAudioQueueErr_InvalidParameter`.
@discardableResult
public func AudioQueueEnqueueBufferWithParameters(
  _ inAQ: AudioQueueRef?, _ inBuffer: AudioQueueBufferRef?, _ inNumPacketDescs: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?, _ inTrimFramesAtStart: UInt32,
  _ inTrimFramesAtEnd: UInt32, _ inNumParamValues: UInt32,
  _ inParamValues: UnsafePointer<AudioQueueParameterEvent>?,
  _ inStartTime: UnsafePointer<AudioTimeStamp>?,
  _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue = unsafe try output(inAQ)
    var order = unsafe BufferOrder(inBuffer, inNumPacketDescs, inPacketDescs)
    (order.trimStart, order.trimEnd) = (Int(inTrimFramesAtStart), Int(inTrimFramesAtEnd))
    if let values = unsafe inParamValues {
      order.changes = unsafe Array(
        UnsafeBufferPointer(start: values, count: Int(inNumParamValues)))
    }
    if let time = unsafe inStartTime?.pointee, time.mFlags.contains(.sampleTimeValid) {
      guard time.mSampleTime.isFinite else { throw .parameter }
      order.start = time.mSampleTime
    }
    try queue.enqueue(order)
    var stamp = AudioTimeStamp()
    if let start = order.start {
      (stamp.mSampleTime, stamp.mFlags) = (max(start, queue.time), .sampleTimeValid)
    }
    unsafe outActualStartTime.put(stamp)
  }
}

/// A queue that plays.
///
/// - Throws: `kAudioQueueErr_InvalidQueueType` for one that records.
@unsafe
func output(_ reference: AudioQueueRef?) throws(StatusError) -> OutputQueue {
  let queue: QueueObject = unsafe try object(reference)
  guard let output = queue as? OutputQueue else {
    throw StatusError(kAudioQueueErr_InvalidQueueType)
  }
  return output
}
