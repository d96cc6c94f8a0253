// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import ClockService
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// Creates a clock that is stopped at 0, with a tempo of 120 BPM.
///
/// - Parameters:
///   - inReservedFlags: 0.
///   - outCAClock: receives the clock, or nil after an error.
/// - Returns: 0; `kAudio_ParamError` if the flags are not 0; `kAudio_MemFullError` if threads, file
///   descriptors or handles are exhausted.
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

/// Ends a clock and its listeners.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
/// - Note: Any thread except a listener's.
@discardableResult
public func CAClockDispose(_ inCAClock: CAClockRef?) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock), let handle = unsafe Handle(inCAClock) else {
    return kAudio_ParamError
  }
  guard HandleTable.shared.remove(handle) else { return kAudio_ParamError }
  clock.end()
  return noErr
}

/// Adds a function that is called when the clock's state changes, on a separate thread.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inListenerProc: the function.
///   - inUserData: passed to the function as its first argument. The function and this argument
///     together identify the listener.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
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

/// Removes a listener.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inListenerProc: the function that was added.
///   - inUserData: the argument with which it was added.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid or does not have the listener.
/// - Note: Any thread. A call of the listener that has already begun runs to its end.
@discardableResult
public func CAClockRemoveListener(
  _ inCAClock: CAClockRef?, _ inListenerProc: @escaping CAClockListenerProc,
  _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  let wasThere = unsafe clock.listeners.remove(.init(function: inListenerProc, data: inUserData))
  return wasThere ? noErr : kAudio_ParamError
}

/// Starts a clock at its position, within a few milliseconds.
///
/// With MIDI destinations it starts after 100 ms, so that they receive Start first. A running clock
/// continues.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidSyncModeError` if it
///   follows a master, which starts it.
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

/// Stops a clock at its position and returns to the tempo map if the tempo was set manually.
///
/// A clock that follows a master stays armed.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
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
/// In internal mode this only notifies the listeners.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
/// - Note: Any thread.
@discardableResult
public func CAClockArm(_ inCAClock: CAClockRef?) -> OSStatus {
  unsafe arm(inCAClock, true)
}

/// Prevents the master from starting the clock.
///
/// A running clock continues until the master stops.
///
/// - Parameter inCAClock: the clock.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
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

/// Sets the speed of media time relative to host time.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPlayRate: 0.5 is half speed; above 0, at most 32, rounded to 2⁻²⁴.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidPlayRateError` if
///   the rate is out of range or the clock follows a master.
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

/// Returns the speed of media time relative to host time.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - outPlayRate: receives the rate that was set, or the measured rate of the master; 1 before
///     the first measurement.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
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

/// Sets the tempo of a running clock at once, until the clock stops.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTempo: BPM, rounded to 10 ns per beat.
///   - inTimestamp: not used; the tempo changes at once.
/// - Returns: 0; `kAudio_ParamError` if the clock or the tempo is invalid;
///   `kCAClock_CannotSetTimeError` if the clock is stopped; `kCAClock_InvalidSyncModeError` if it
///   follows a master.
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

/// Returns the tempo of the tempo map, or the one that was set manually, without the play rate.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - outTempo: receives the tempo in BPM.
///   - outTimestamp: receives the media time in seconds from which the tempo applies; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
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

/// Passes MIDI clock and time code to the clock, as if its sync source had sent them.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inMIDIPacketList: the packets; time 0 means now.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid.
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
  /// The clock of a reference, or nil if the reference is invalid.
  @unsafe
  static func find(_ reference: CAClockRef?) -> ClockObject? {
    unsafe HandleTable.shared.object(at: reference)
  }
}
