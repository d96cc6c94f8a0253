// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import AudioToolboxFiles
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// Has the sound of a queue that plays pass through a function, on the render thread.
///
/// The function must not allocate, lock or wait. It gets 64 frames at a time, behind volume and pan.
///
/// - Parameters:
///   - inAQ: the queue, which does not run and has nothing enqueued.
///   - inCallback: the function.
///   - inClientData: its first argument.
///   - inFlags: `siphon` for a function that only looks at the sound.
///   - outMaxFrames: set to 64.
///   - outProcessingFormat: set to the format: 32-bit floating point, a buffer for each channel.
///   - outAQTap: set to the tap, or nil after an error.
/// - Returns: 0; `kAudioQueueErr_InvalidTapType` for a queue that records, or flags that name both
///   sides of effects or neither; `kAudioQueueErr_TooManyTaps` from the ninth on;
///   `kAudioQueueErr_InvalidRunState`; −50 for nil.
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
/// Waits, up to 1 s, for a call of its function that is under way on another thread.
///
/// - Parameter inAQTap: the tap.
/// - Returns: 0; −50 for a tap that does not exist.
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

/// Copies the input of a tap, from within its function.
///
/// - Parameters:
///   - inAQTap: the tap.
///   - inNumberFrames: the number of frames.
///   - ioTimeStamp: set to the time of the first frame.
///   - outFlags: set to `startOfStream` at the first frames.
///   - outNumberFrames: set to the number of frames that were copied: at most 64.
///   - ioData: a buffer for each channel.
/// - Returns: 0; `kAudioQueueErr_InvalidTapContext` outside of the function; −50 for a tap that does
///   not exist.
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

/// Returns the time of the frames that a tap is called for, from within its function.
///
/// - Parameters:
///   - inAQTap: the tap.
///   - outQueueSampleTime: set to the first frame.
///   - outQueueFrameCount: set to the number of frames.
/// - Returns: 0; `kAudioQueueErr_InvalidTapContext` outside of the function; −50 for a tap that does
///   not exist.
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
