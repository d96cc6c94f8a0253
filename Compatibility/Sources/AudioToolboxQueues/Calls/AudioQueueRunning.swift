// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// Starts a queue, or continues after a pause.
///
/// Without a default device the queue runs in real time, without sound.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inStartTime: the time of the device at which it starts, as a frame or host time; nil for at
///     once.
/// - Returns: 0; `kAudioQueueErr_InvalidDevice`; `kAudioQueueErr_CannotStart`;
///   `kAudioQueueErr_CodecNotFound`; −50 for a queue that does not exist.
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

/// Decodes buffers that are enqueued, up to about a second.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inNumberOfFramesToPrepare: the number of frames; 0 for as many as possible.
///   - outNumberOfFramesPrepared: set to the number of frames that are ready.
/// - Returns: 0; `kAudioQueueErr_CodecNotFound`; −50 for a queue that does not exist.
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
///   - inImmediate: true to stop at once, with a fade of 5 ms: when the function returns, the buffers
///     are back, unless a callback of the queue calls it. False to stop after the buffers that are enqueued.
/// - Returns: 0; −50 for a queue that does not exist.
@discardableResult
public func AudioQueueStop(_ inAQ: AudioQueueRef?, _ inImmediate: Bool) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.stop(isImmediate: inImmediate)
  }
}

/// Pauses a queue; `AudioQueueStart` continues.
///
/// - Parameter inAQ: the queue.
/// - Returns: 0; −50 for a queue that does not exist.
@discardableResult
public func AudioQueuePause(_ inAQ: AudioQueueRef?) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.pause()
  }
}

/// Ends the stream after the buffers that are enqueued.
///
/// The codec's last frames are played, and buffers that follow begin a new stream. A queue that
/// records returns the sound that it has.
///
/// - Parameter inAQ: the queue.
/// - Returns: 0; −50 for a queue that does not exist.
@discardableResult
public func AudioQueueFlush(_ inAQ: AudioQueueRef?) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.flush()
  }
}

/// Takes back the buffers that are enqueued, with a fade of 5 ms.
///
/// The queue goes on.
///
/// - Parameter inAQ: the queue.
/// - Returns: 0; −50 for a queue that does not exist.
@discardableResult
public func AudioQueueReset(_ inAQ: AudioQueueRef?) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.reset()
  }
}
