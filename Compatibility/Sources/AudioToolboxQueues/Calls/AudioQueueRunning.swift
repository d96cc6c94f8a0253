// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// Starts a queue, or continues after a pause.
///
/// If a default device does not exist, the queue runs silently in real time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inStartTime: the device time at which to start, as a sample time or host time; nil to start
///     at once.
/// - Returns: 0; `kAudioQueueErr_InvalidDevice`; `kAudioQueueErr_CannotStart`;
///   `kAudioQueueErr_CodecNotFound`; −50 if the queue does not exist.
@discardableResult
public func AudioQueueStart(
  _ inAQ: AudioQueueRef?, _ inStartTime: UnsafePointer<AudioTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let time = unsafe inStartTime?.pointee
    let isValid = time?.mFlags.contains(.sampleTimeValid) == true
    if isValid, time?.mSampleTime.isFinite == false { throw .parameter }
    try queue.start(at: time)
  }
}

/// Decodes enqueued buffers in advance, up to about a second.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inNumberOfFramesToPrepare: the number of frames; 0 for as many as possible.
///   - outNumberOfFramesPrepared: receives the number of frames that are ready.
/// - Returns: 0; `kAudioQueueErr_CodecNotFound`; −50 if the queue does not exist.
@discardableResult
public func AudioQueuePrime(
  _ inAQ: AudioQueueRef?, _ inNumberOfFramesToPrepare: UInt32,
  _ outNumberOfFramesPrepared: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let count = try queue.prime(Int(inNumberOfFramesToPrepare))
    unsafe outNumberOfFramesPrepared.put(UInt32(clamping: count))
  }
}

/// Stops a queue.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inImmediate: true to stop at once, with a fade of 5 ms; when the function returns, all
///     buffers have been returned, unless the function is called from a callback of the queue.
///     False to stop after all enqueued buffers have been played.
/// - Returns: 0; −50 if the queue does not exist.
@discardableResult
public func AudioQueueStop(_ inAQ: AudioQueueRef?, _ inImmediate: Bool) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.stop(isImmediate: inImmediate)
  }
}

/// Pauses a queue; call `AudioQueueStart` to continue.
///
/// - Parameter inAQ: the queue.
/// - Returns: 0; −50 if the queue does not exist.
@discardableResult
public func AudioQueuePause(_ inAQ: AudioQueueRef?) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.pause()
  }
}

/// Ends the stream after the enqueued buffers.
///
/// The last frames of the codec are played, and later buffers start a new stream. A queue that
/// records returns the audio that it has received.
///
/// - Parameter inAQ: the queue.
/// - Returns: 0; −50 if the queue does not exist.
@discardableResult
public func AudioQueueFlush(_ inAQ: AudioQueueRef?) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.flush()
  }
}

/// Returns all enqueued buffers without playing them, with a fade of 5 ms.
///
/// The queue keeps running.
///
/// - Parameter inAQ: the queue.
/// - Returns: 0; −50 if the queue does not exist.
@discardableResult
public func AudioQueueReset(_ inAQ: AudioQueueRef?) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.reset()
  }
}
