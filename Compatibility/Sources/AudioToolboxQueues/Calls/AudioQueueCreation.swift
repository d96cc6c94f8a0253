// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CCoreFoundation
internal import CoreAudioHandles
public import CoreAudioTypes
public import CoreFoundation
public import Dispatch

/// A closure that receives a buffer which the queue has finished playing.
public typealias AudioQueueOutputCallbackBlock = (AudioQueueRef, AudioQueueBufferRef) -> Void

/// A closure that receives a filled buffer, the time of its first frame, and its packet
/// descriptions.
public typealias AudioQueueInputCallbackBlock = (
  AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
  UnsafePointer<AudioStreamPacketDescription>?
) -> Void

/// Creates a queue for playback.
///
/// - Parameters:
///   - inFormat: the format of the buffers: interleaved PCM, or packets that can be decoded.
///   - inCallbackProc: called with each buffer that has been played or was returned by a stop or
///     reset.
///   - inUserData: a value that is passed to the callback.
///   - inCallbackRunLoop: the run loop on which the callback is called; nil for a thread of the
///     queue.
///   - inCallbackRunLoopMode: the mode of the run loop; nil for the common modes.
///   - inFlags: 0.
///   - outAQ: receives the queue, or nil after an error.
/// - Returns: 0; `kAudioFormatUnsupportedDataFormatError`; −50 if an argument is nil; −108 if a
///   million objects exist.
@discardableResult
public func AudioQueueNewOutput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inCallbackProc: @escaping AudioQueueOutputCallback, _ inUserData: UnsafeMutableRawPointer?,
  _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  let place = QueueCaller.Place(inCallbackRunLoop, inCallbackRunLoopMode)
  // The program is responsible for its pointer.
  nonisolated(unsafe) let data = unsafe inUserData
  return unsafe newOutput(inFormat, place, outAQ) { queue, buffer in
    guard let reference = unsafe queue.reference else { return }
    unsafe inCallbackProc(data, reference, buffer.pointer)
  }
}

/// Creates a queue for playback that calls a closure on a dispatch queue.
///
/// - Parameters:
///   - outAQ: receives the queue, or nil after an error.
///   - inFormat: the format of the buffers: interleaved PCM, or packets that can be decoded.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: the dispatch queue on which the closure is called.
///   - inCallbackBlock: called with each buffer that has been played or was returned by a stop or
///     reset.
/// - Returns: the same codes as `AudioQueueNewOutput`.
@discardableResult
public func AudioQueueNewOutputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inFlags: UInt32,
  _ inCallbackDispatchQueue: DispatchQueue,
  _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus {
  // Called on the dispatch queue alone, as the program asks.
  nonisolated(unsafe) let block = unsafe inCallbackBlock
  return unsafe newOutput(inFormat, .queue(inCallbackDispatchQueue), outAQ) { queue, buffer in
    guard let reference = unsafe queue.reference else { return }
    unsafe block(reference, buffer.pointer)
  }
}

@unsafe
private func newOutput(
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ place: QueueCaller.Place,
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ callback: @escaping OutputQueue.Callback
) -> OSStatus {
  status { () throws(StatusError) in
    let target = unsafe try given(outAQ)
    unsafe target.pointee = nil
    let format = unsafe try given(format).pointee
    unsafe target.pointee = try enter(OutputQueue(format, place: place, callback: callback))
  }
}

/// Creates a queue for recording.
///
/// - Parameters:
///   - inFormat: the format of the buffers: interleaved PCM, AAC, ALAC or MP3.
///   - inCallbackProc: called with each filled buffer.
///   - inUserData: a value that is passed to the callback.
///   - inCallbackRunLoop: the run loop on which the callback is called; nil for a thread of the
///     queue.
///   - inCallbackRunLoopMode: the mode of the run loop; nil for the common modes.
///   - inFlags: 0.
///   - outAQ: receives the queue, or nil after an error.
/// - Returns: the same codes as `AudioQueueNewOutput`.
@discardableResult
public func AudioQueueNewInput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inCallbackProc: @escaping AudioQueueInputCallback, _ inUserData: UnsafeMutableRawPointer?,
  _ inCallbackRunLoop: CFRunLoop?, _ inCallbackRunLoopMode: CFString?, _ inFlags: UInt32,
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  let place = QueueCaller.Place(inCallbackRunLoop, inCallbackRunLoopMode)
  // The program is responsible for its pointer.
  nonisolated(unsafe) let data = unsafe inUserData
  return unsafe newInput(inFormat, place, outAQ) { reference, buffer, stamp, count, packets in
    unsafe inCallbackProc(data, reference, buffer, stamp, count, packets)
  }
}

/// Creates a queue for recording that calls a closure on a dispatch queue.
///
/// - Parameters:
///   - outAQ: receives the queue, or nil after an error.
///   - inFormat: the format of the buffers: interleaved PCM, AAC, ALAC or MP3.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: the dispatch queue on which the closure is called.
///   - inCallbackBlock: called with each filled buffer.
/// - Returns: the same codes as `AudioQueueNewOutput`.
@discardableResult
public func AudioQueueNewInputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?,
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inFlags: UInt32,
  _ inCallbackDispatchQueue: DispatchQueue,
  _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
  unsafe newInput(inFormat, .queue(inCallbackDispatchQueue), outAQ, inCallbackBlock)
}

@unsafe
private func newInput(
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ place: QueueCaller.Place,
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ callback: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
  // Called in the place that the program gave.
  nonisolated(unsafe) let callback = unsafe callback
  return status { () throws(StatusError) in
    let target = unsafe try given(outAQ)
    unsafe target.pointee = nil
    let format = unsafe try given(format).pointee
    let queue = try InputQueue(format, place: place) { queue, filled in
      guard let reference = unsafe queue.reference else { return }
      let stamp = filled.stamp
      unsafe withUnsafePointer(to: stamp) { stamp in
        unsafe filled.packets.withUnsafeBufferPointer { packets in
          unsafe callback(
            reference, filled.buffer.pointer, stamp, UInt32(packets.count),
            packets.isEmpty ? nil : packets.baseAddress)
        }
      }
    }
    unsafe target.pointee = try enter(queue)
  }
}

/// Enters a queue into the table of handles.
private func enter(_ queue: QueueObject) throws(StatusError) -> AudioQueueRef {
  guard let handle = HandleTable.shared.add(queue) else {
    throw StatusError(kAudio_MemFullError)
  }
  let reference = unsafe handle.pointer
  unsafe queue.reference = reference
  return unsafe reference
}

/// Disposes of a queue, its buffers and its taps.
///
/// Callbacks are not called any more.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inImmediate: true to stop at once; false to play all enqueued buffers first.
/// - Returns: 0; −50 if the queue does not exist.
@discardableResult
public func AudioQueueDispose(_ inAQ: AudioQueueRef?, _ inImmediate: Bool) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    guard let handle = unsafe Handle(inAQ), HandleTable.shared.remove(handle) else {
      throw .parameter
    }
    queue.dispose(isImmediate: inImmediate)
  }
}

extension QueueCaller.Place {
  /// A mode of a run loop, or a thread of the queue.
  init(_ runLoop: CFRunLoop?, _ mode: CFString?) {
    self = runLoop.map { .runLoop($0, mode ?? CFRunLoopMode.commonModes.rawValue) } ?? .own
  }
}
