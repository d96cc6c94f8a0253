// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// Adds a tap: a callback that can read or change the audio of a playback queue, on the render
/// thread.
///
/// The callback must not allocate, lock or wait. It receives 64 frames at a time, after volume and
/// pan have been applied.
///
/// - Parameters:
///   - inAQ: the queue, which must not be running or have enqueued buffers.
///   - inCallback: the callback.
///   - inClientData: a value that is passed to the callback.
///   - inFlags: `siphon` if the callback only reads the audio.
///   - outMaxFrames: receives 64.
///   - outProcessingFormat: receives the format: 32-bit floating point, with a buffer for each
///     channel.
///   - outAQTap: receives the tap, or nil after an error.
/// - Returns: 0; `kAudioQueueErr_InvalidTapType` for a queue that records, or if the flags do not
///   contain exactly one of `preEffects` and `postEffects`; `kAudioQueueErr_TooManyTaps` if the
///   queue has eight taps; `kAudioQueueErr_InvalidRunState`; −50 if an argument is nil.
@discardableResult
public func AudioQueueProcessingTapNew(
  _ inAQ: AudioQueueRef?, _ inCallback: @escaping AudioQueueProcessingTapCallback,
  _ inClientData: UnsafeMutableRawPointer?, _ inFlags: AudioQueueProcessingTapFlags,
  _ outMaxFrames: UnsafeMutablePointer<UInt32>?,
  _ outProcessingFormat: UnsafeMutablePointer<AudioStreamBasicDescription>?,
  _ outAQTap: UnsafeMutablePointer<AudioQueueProcessingTapRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let target = unsafe try given(outAQTap)
    unsafe target.pointee = nil
    let queue: QueueObject = unsafe try object(inAQ)
    let data = unsafe try given(inClientData)
    guard let queue = queue as? OutputQueue,
      inFlags.contains(.preEffects) != inFlags.contains(.postEffects)
    else { throw StatusError(kAudioQueueErr_InvalidTapType) }
    let tap = unsafe TapObject(
      queue, inCallback, data, isSiphon: inFlags.contains(.siphon))
    unsafe target.pointee = try queue.add(tap)
    unsafe outMaxFrames.put(UInt32(AudioFormat.quantum))
    let form = PCMForm(
      .float32, rate: queue.rate, channelCount: queue.channelCount, isInterleaved: false)
    unsafe outProcessingFormat.put(form.description)
  }
}

/// Disposes of a tap.
///
/// If the callback is running on another thread, the function waits for it, up to 1 s.
///
/// - Parameter inAQTap: the tap.
/// - Returns: 0; −50 if the tap does not exist.
@discardableResult
public func AudioQueueProcessingTapDispose(_ inAQTap: AudioQueueProcessingTapRef?) -> OSStatus {
  status { () throws(StatusError) in
    let tap: TapObject = unsafe try object(inAQTap)
    guard let queue = tap.queue else { throw .parameter }
    unsafe try queue.remove(inAQTap)
    tap.deactivate()
    queue.taps.withLock { $0.removeAll { $0 === tap } }
  }
}

/// Copies the input of a tap; call it inside the callback of the tap.
///
/// - Parameters:
///   - inAQTap: the tap.
///   - inNumberFrames: the number of frames.
///   - ioTimeStamp: receives the time of the first frame.
///   - outFlags: receives `startOfStream` at the first frames.
///   - outNumberFrames: receives the number of frames that were copied, at most 64.
///   - ioData: a buffer for each channel.
/// - Returns: 0; `kAudioQueueErr_InvalidTapContext` outside the callback; −50 if the tap does not
///   exist.
@discardableResult
public func AudioQueueProcessingTapGetSourceAudio(
  _ inAQTap: AudioQueueProcessingTapRef?, _ inNumberFrames: UInt32,
  _ ioTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
  _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>?,
  _ outNumberFrames: UnsafeMutablePointer<UInt32>?,
  _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let list = unsafe ioData else { return kAudio_ParamError }
  let status = unsafe HandleTable.withSole(inAQTap, TapObject.self) { tap -> OSStatus in
    guard let time = tap.queueTime,
      let read = unsafe tap.readSource(Int(inNumberFrames), to: list)
    else { return kAudioQueueErr_InvalidTapContext }
    unsafe ioTimeStamp?.pointee.mSampleTime = Double(time)
    unsafe outFlags?.pointee = read.isFirst ? .startOfStream : []
    unsafe outNumberFrames?.pointee = UInt32(read.frames)
    return noErr
  }
  return status ?? kAudio_ParamError
}

/// Returns the queue time of the frames of a tap; call it inside the callback of the tap.
///
/// - Parameters:
///   - inAQTap: the tap.
///   - outQueueSampleTime: receives the sample time of the first frame.
///   - outQueueFrameCount: receives the number of frames.
/// - Returns: 0; `kAudioQueueErr_InvalidTapContext` outside the callback; −50 if the tap does not
///   exist.
@discardableResult
public func AudioQueueProcessingTapGetQueueTime(
  _ inAQTap: AudioQueueProcessingTapRef?, _ outQueueSampleTime: UnsafeMutablePointer<Float64>?,
  _ outQueueFrameCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  let status = unsafe HandleTable.withSole(inAQTap, TapObject.self) { tap -> OSStatus in
    guard let time = tap.queueTime else { return kAudioQueueErr_InvalidTapContext }
    unsafe outQueueSampleTime?.pointee = Double(time)
    unsafe outQueueFrameCount?.pointee = UInt32(AudioFormat.quantum)
    return noErr
  }
  return status ?? kAudio_ParamError
}
