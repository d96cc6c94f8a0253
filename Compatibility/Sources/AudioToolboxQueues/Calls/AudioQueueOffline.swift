// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes

/// Has a queue render into memory instead of playing on a device.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inFormat: PCM, interleaved, in which it renders; nil for the device again.
///   - inLayout: not used.
/// - Returns: 0; `kAudioFormatUnsupportedDataFormatError`; `kAudioQueueErr_InvalidRunState` if the
///   queue runs; `kAudioQueueErr_InvalidQueueType` if it records; −50 for a queue that does not
///   exist.
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
/// Callbacks are called meanwhile, on this thread.
///
/// - Parameters:
///   - inAQ: the queue, which was started.
///   - inTimestamp: not used: each call continues at the end of the last one.
///   - ioBuffer: a buffer of the queue that is not enqueued; its size becomes that of the frames that
///     were rendered, which are fewer at the end of the sound.
///   - inNumberFrames: the number of frames.
/// - Returns: 0; `kAudioQueueErr_InvalidOfflineMode` without an offline format;
///   `kAudioQueueErr_InvalidRunState` if the queue was not started;
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
