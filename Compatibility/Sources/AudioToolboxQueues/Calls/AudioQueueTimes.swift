// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Synchronization

/// Creates a timeline, which reports discontinuities in the time of the queue.
///
/// - Parameters:
///   - inAQ: the queue.
///   - outTimeline: receives the timeline, or nil after an error.
/// - Returns: 0; −50 if the queue does not exist.
@discardableResult
public func AudioQueueCreateTimeline(
  _ inAQ: AudioQueueRef?, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>?
) -> OSStatus {
  status { () throws(StatusError) in
    let target = unsafe try given(outTimeline)
    unsafe target.pointee = nil
    let queue: QueueObject = unsafe try object(inAQ)
    unsafe target.pointee = try queue.enter(TimelineObject(queue))
  }
}

/// Disposes of a timeline.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTimeline: the timeline.
/// - Returns: 0; −50 if the queue or timeline does not exist.
@discardableResult
public func AudioQueueDisposeTimeline(
  _ inAQ: AudioQueueRef?, _ inTimeline: AudioQueueTimelineRef?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let timeline: TimelineObject = unsafe try object(inTimeline)
    guard timeline.queue === queue else { throw .parameter }
    unsafe try queue.remove(inTimeline)
  }
}

/// Returns the time of a running queue: the frames since its start, without pauses.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTimeline: a timeline; may be nil.
///   - outTimeStamp: receives the time.
///   - outTimelineDiscontinuity: receives true if the audio was interrupted since the previous call
///     with the timeline.
/// - Returns: 0; `kAudioQueueErr_InvalidRunState` if the queue is not running; −50 if the queue or
///   timeline does not exist.
@discardableResult
public func AudioQueueGetCurrentTime(
  _ inAQ: AudioQueueRef?, _ inTimeline: AudioQueueTimelineRef?,
  _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
  _ outTimelineDiscontinuity: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    var isBroken = false
    if unsafe inTimeline != nil {
      let timeline: TimelineObject = unsafe try object(inTimeline)
      guard timeline.queue === queue else { throw .parameter }
      isBroken = timeline.takeBreaks()
    }
    guard queue.core.withLock(\.isRunning) else {
      throw StatusError(kAudioQueueErr_InvalidRunState)
    }
    unsafe outTimeStamp.put(queue.stamp)
    unsafe outTimelineDiscontinuity.put(DarwinBoolean(isBroken))
  }
}

/// Returns the current time of the queue's device, as a sample time and host time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - outTimeStamp: receives the time.
/// - Returns: 0; `kAudioQueueErr_InvalidRunState` if the queue is not running;
///   `kAudioQueueErr_InvalidQueueType` if the queue records; −50 if the queue does not exist.
@discardableResult
public func AudioQueueDeviceGetCurrentTime(
  _ inAQ: AudioQueueRef?, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let (times, now) = unsafe try output(inAQ).deviceTimes()
    var stamp = times.stamp(Double(now))
    stamp.mHostTime = times.host(atFrame: now)
    stamp.mFlags.insert(.hostTimeValid)
    unsafe outTimeStamp.put(stamp)
  }
}

/// Converts a device time between sample time and host time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTime: the sample time or the host time.
///   - outTime: receives both times.
/// - Returns: the same codes as `AudioQueueDeviceGetCurrentTime`; −50 if `inTime` contains neither
///   time.
@discardableResult
public func AudioQueueDeviceTranslateTime(
  _ inAQ: AudioQueueRef?, _ inTime: UnsafePointer<AudioTimeStamp>?,
  _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  status { () throws(StatusError) in
    let (times, _) = unsafe try output(inAQ).deviceTimes()
    let time = unsafe try given(inTime).pointee
    unsafe outTime.put(try times.both(of: time))
  }
}

/// Returns the nearest device time at which a queue can start.
///
/// - Parameters:
///   - inAQ: the queue.
///   - ioRequestedStartTime: the requested device time; receives the nearest possible time, which
///     is not before the next frame to be rendered.
///   - inFlags: 0.
/// - Returns: the same codes as `AudioQueueDeviceTranslateTime`.
@discardableResult
public func AudioQueueDeviceGetNearestStartTime(
  _ inAQ: AudioQueueRef?, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>?,
  _ inFlags: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    let (times, _) = unsafe try output(inAQ).deviceTimes()
    let target = unsafe try given(ioRequestedStartTime)
    var time = unsafe try times.both(of: target.pointee)
    if time.mSampleTime < Double(times.position) {
      time.mSampleTime = Double(times.position)
      time.mHostTime = times.host(atFrame: times.position)
    }
    unsafe target.pointee = time
  }
}
