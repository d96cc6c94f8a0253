// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// Sets the format for offline rendering; the queue then renders into memory instead of playing on
/// a device.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inFormat: the format to render, interleaved PCM; nil to play on the device again.
///   - inLayout: not used.
/// - Returns: 0; `kAudioFormatUnsupportedDataFormatError`; `kAudioQueueErr_InvalidRunState` if the
///   queue is running; `kAudioQueueErr_InvalidQueueType` if the queue records; −50 if the queue
///   does not exist.
@discardableResult
public func AudioQueueSetOfflineRenderFormat(
  _ inAQ: AudioQueueRef?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inLayout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus {
  status { () throws(StatusError) in
    try unsafe output(inAQ).setOffline(unsafe inFormat?.pointee)
  }
}

/// Renders frames into a buffer of the queue.
///
/// During the call, callbacks are called on the calling thread.
///
/// - Parameters:
///   - inAQ: the queue, which must have been started.
///   - inTimestamp: not used: each call continues at the end of the previous one.
///   - ioBuffer: a buffer of the queue that is not enqueued. Its size is set to the rendered bytes;
///     at the end of the audio, fewer frames are rendered than requested.
///   - inNumberFrames: the number of frames.
/// - Returns: 0; `kAudioQueueErr_InvalidOfflineMode` if an offline format is not set;
///   `kAudioQueueErr_InvalidRunState` if the queue has not been started;
///   `kAudioQueueErr_InvalidBuffer`; −50 if the buffer is too small.
@discardableResult
public func AudioQueueOfflineRender(
  _ inAQ: AudioQueueRef?, _ inTimestamp: UnsafePointer<AudioTimeStamp>?,
  _ ioBuffer: AudioQueueBufferRef?, _ inNumberFrames: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    try unsafe output(inAQ).render(into: ioBuffer, Int(inNumberFrames))
  }
}
