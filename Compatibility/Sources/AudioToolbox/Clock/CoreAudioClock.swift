// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import ClockService
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// Creates a clock that stands at 0, 120 beats a minute.
///
/// - Parameters:
///   - inReservedFlags: 0.
///   - outCAClock: takes the clock; nil where there is none.
/// - Returns: 0; −50 for flags; −108 where no thread or descriptor is left.
/// - Note: Any thread.
@discardableResult
public func CAClockNew(
  _ inReservedFlags: UInt32, _ outCAClock: UnsafeMutablePointer<CAClockRef?>
) -> OSStatus {
  unsafe outCAClock.pointee = nil
  guard inReservedFlags == 0 else { return kAudio_ParamError }
  do {
    guard let handle = HandleTable.shared.add(try ClockObject()) else { return kAudio_MemFullError }
    unsafe outCAClock.pointee = handle.pointer
    return noErr
  } catch {
    return kAudio_MemFullError
  }
}

/// Ends a clock; its listeners are told of nothing any more.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread but a listener's.
@discardableResult
public func CAClockDispose(_ inCAClock: CAClockRef?) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock), let handle = unsafe Handle(inCAClock) else {
    return kAudio_ParamError
  }
  guard HandleTable.shared.remove(handle) else { return kAudio_ParamError }
  clock.end()
  return noErr
}

/// Has a function called with what happens to a clock, on a thread for that alone.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inListenerProc: the function.
///   - inUserData: its first argument; with the function it tells listeners apart.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread.
@discardableResult
public func CAClockAddListener(
  _ inCAClock: CAClockRef?, _ inListenerProc: @escaping CAClockListenerProc,
  _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  unsafe clock.listeners.add(.init(function: inListenerProc, data: inUserData))
  return noErr
}

/// Ends what `CAClockAddListener` began.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inListenerProc: the function.
///   - inUserData: its first argument.
/// - Returns: 0; −50 for an invalid clock or listener.
/// - Note: Any thread. A call that is under way may still come to its end.
@discardableResult
public func CAClockRemoveListener(
  _ inCAClock: CAClockRef?, _ inListenerProc: @escaping CAClockListenerProc,
  _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  let wasThere = unsafe clock.listeners.remove(.init(function: inListenerProc, data: inUserData))
  return wasThere ? noErr : kAudio_ParamError
}

/// Starts a clock where it stands, some milliseconds from now.
///
/// With destinations it is a tenth of a second, so that they are told before. One that runs goes on.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidSyncModeError` where it follows a
///   master, who starts it.
/// - Note: Any thread.
@discardableResult
public func CAClockStart(_ inCAClock: CAClockRef?) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  guard !clock.transport.snapshot.isRunning else { return noErr }
  let isHeard = !(clock.midiClock.endpoints.isEmpty && clock.timecode.endpoints.isEmpty)
  guard clock.transport.snapshot.mode == .alone else { return kCAClock_InvalidSyncModeError }
  clock.transport.start(at: isHeard ? nil : MonotonicClock.now)
  clock.settle()
  return noErr
}

/// Stops a clock where it is; a tempo set by hand is forgotten.
///
/// Behind a master it stays armed.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread.
@discardableResult
public func CAClockStop(_ inCAClock: CAClockRef?) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  clock.transport.stop()
  clock.settle()
  return noErr
}

/// Lets the master start the clock and set its position.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread.
@discardableResult
public func CAClockArm(_ inCAClock: CAClockRef?) -> OSStatus {
  unsafe arm(inCAClock, true)
}

/// Lets the master no longer start the clock; while it runs it goes on until the master stops.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread.
@discardableResult
public func CAClockDisarm(_ inCAClock: CAClockRef?) -> OSStatus {
  unsafe arm(inCAClock, false)
}

@unsafe
private func arm(_ reference: CAClockRef?, _ isArmed: Bool) -> OSStatus {
  guard let clock = unsafe ClockObject.find(reference) else { return kAudio_ParamError }
  if clock.settings.withLock(\.mode) == .internal {
    clock.listeners.tell(isArmed ? .armed : .disarmed)
  } else if isArmed {
    clock.transport.arm()
  } else {
    clock.transport.disarm()
  }
  clock.settle()
  return noErr
}

/// Changes how fast media time passes beside host time: 0.5 is half as fast as written.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPlayRate: above 0, at most 32; held to 2⁻⁴⁰.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidPlayRateError` out of range and
///   behind a master.
/// - Note: Any thread.
@discardableResult
public func CAClockSetPlayRate(_ inCAClock: CAClockRef?, _ inPlayRate: Float64) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  do {
    try clock.transport.setPlayRate(ClockTimes.playRate(inPlayRate))
  } catch {
    return kCAClock_InvalidPlayRateError
  }
  clock.settle()
  return noErr
}

/// Tells how fast media time passes beside host time.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - outPlayRate: takes what was set, or behind a master what is measured; 1 before that.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread.
@discardableResult
public func CAClockGetPlayRate(
  _ inCAClock: CAClockRef?, _ outPlayRate: UnsafeMutablePointer<Float64>
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  let snapshot = clock.transport.snapshot
  unsafe outPlayRate.pointee =
    snapshot.mode == .alone
    ? snapshot.clock.playRate.approximation : snapshot.playRate(at: MonotonicClock.now) ?? 1
  return noErr
}

/// Sets the tempo by hand, at once, until the clock stops.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTempo: beats a minute, held to 10 ns a beat.
///   - inTimestamp: has no effect: the tempo changes at once.
/// - Returns: 0; −50 for an invalid clock or tempo;
///   `kCAClock_CannotSetTimeError` where it stands; `kCAClock_InvalidSyncModeError` behind a master.
/// - Note: Any thread.
@discardableResult
public func CAClockSetCurrentTempo(
  _ inCAClock: CAClockRef?, _ inTempo: CAClockTempo, _ inTimestamp: UnsafePointer<CAClockTime>?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  do {
    try clock.setTempo(ClockSettings.tempo(inTempo))
  } catch ClockError.stands {
    return kCAClock_CannotSetTimeError
  } catch ClockError.follows {
    return kCAClock_InvalidSyncModeError
  } catch {
    return kAudio_ParamError
  }
  return noErr
}

/// Tells the tempo that is written, or set by hand; what passes is that times the play rate.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - outTempo: takes beats a minute.
///   - outTimestamp: takes the media time from which it holds, in seconds; nil for nobody.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread.
@discardableResult
public func CAClockGetCurrentTempo(
  _ inCAClock: CAClockRef?, _ outTempo: UnsafeMutablePointer<CAClockTempo>,
  _ outTimestamp: UnsafeMutablePointer<CAClockTime>?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  let (snapshot, now) = (clock.transport.snapshot, MonotonicClock.now)
  let written = snapshot.clock.tempoMap.tempo(at: snapshot.position(at: now).tick)
  let tempo = snapshot.clock.tempoOverride ?? written
  unsafe outTempo.pointee = tempo.beatsPerMinute.approximation
  unsafe outTimestamp?.pointee = CAClockTime(
    format: .seconds, reserved: 0,
    time: .init(seconds: clock.tempoStart(snapshot, at: now).approximation))
  return noErr
}

/// Takes MIDI clock and time code from a packet list, as if they had come from the clock's source.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inMIDIPacketList: the packets; time 0 is now.
/// - Returns: 0; −50 for an invalid clock.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func CAClockParseMIDI(
  _ inCAClock: CAClockRef?, _ inMIDIPacketList: UnsafePointer<MIDIPacketList>
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  unsafe clock.feed.take(inMIDIPacketList)
  return noErr
}

extension ClockObject {
  /// The clock of a reference; nil where there is none.
  @unsafe
  static func find(_ reference: CAClockRef?) -> ClockObject? {
    unsafe HandleTable.shared.object(at: reference)
  }
}
