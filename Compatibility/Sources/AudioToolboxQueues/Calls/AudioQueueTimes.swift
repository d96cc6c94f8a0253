// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Synchronization

/// Creates a timeline, which reports discontinuities of the queue's time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - outTimeline: set to the timeline, or nil after an error.
/// - Returns: 0; −50 for a queue that does not exist.
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
/// - Returns: 0; −50 for a queue or timeline that does not exist.
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

/// Returns the time of a queue that runs: frames since the start, without pauses.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTimeline: a timeline; may be nil.
///   - outTimeStamp: set to the time.
///   - outTimelineDiscontinuity: set to true if sound was interrupted since the timeline was last
///     asked.
/// - Returns: 0; `kAudioQueueErr_InvalidRunState` if the queue does not run; −50 for a queue or
///   timeline that does not exist.
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

/// Returns the time of the device that a queue plays on: frames and host time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - outTimeStamp: set to the time.
/// - Returns: 0; `kAudioQueueErr_InvalidRunState` if the queue does not run;
///   `kAudioQueueErr_InvalidQueueType` if it records; −50 for a queue that does not exist.
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

/// Converts a time of the device between frames and host time.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inTime: the frame, or the host time.
///   - outTime: set to both.
/// - Returns: as `AudioQueueDeviceGetCurrentTime`; −50 for a time without either.
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

/// Returns the nearest time at which a queue can start: not before the next frame to be rendered.
///
/// - Parameters:
///   - inAQ: the queue.
///   - ioRequestedStartTime: the wanted time of the device, and afterwards the possible one.
///   - inFlags: 0.
/// - Returns: as `AudioQueueDeviceTranslateTime`.
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
