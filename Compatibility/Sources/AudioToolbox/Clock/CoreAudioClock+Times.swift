// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import ClockService
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// Sets where the clock starts from.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTime: beats, seconds, or a label.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_CannotSetTimeError` where it runs;
///   `kCAClock_InvalidTimeFormatError` for other formats and labels that do not exist;
///   `kCAClock_InvalidSyncModeError` behind a master.
/// - Note: Any thread.
@discardableResult
public func CAClockSetCurrentTime(
  _ inCAClock: CAClockRef?, _ inTime: UnsafePointer<CAClockTime>
) -> OSStatus {
  unsafe answer(inCAClock) { clock, times in
    guard !times.snapshot.isRunning else { throw ClockFailure(kCAClock_CannotSetTimeError) }
    let time = unsafe inTime.pointee
    let media: [CAClockTimeFormat] = [.beats, .seconds, .smpteSeconds, .smpteTime]
    guard media.contains(time.format) else { throw ClockFailure(kCAClock_InvalidTimeFormatError) }
    let seconds = try times.mediaSeconds(of: time)
    let ticks = try times.snapshot.clock.timeContext.ticks(of: .seconds(seconds))
    try clock.transport.locate(to: .ticks(ticks))
    clock.noteStart(ticks)
    clock.settle()
  }
}

/// Tells where the clock is.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTimeFormat: the format of the answer; host time is the machine's.
///   - outTime: takes the time.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidUnitError` for samples of a clock
///   that runs by the host's.
/// - Note: Any thread.
@discardableResult
public func CAClockGetCurrentTime(
  _ inCAClock: CAClockRef?, _ inTimeFormat: CAClockTimeFormat,
  _ outTime: UnsafeMutablePointer<CAClockTime>
) -> OSStatus {
  unsafe answer(inCAClock) { _, times in
    if let now = try times.present(in: inTimeFormat) {
      unsafe outTime.pointee = now
    } else {
      unsafe outTime.pointee = try times.time(times.now(), in: inTimeFormat)
    }
  }
}

/// Tells where the clock will start, or did.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTimeFormat: the format of the answer.
///   - outTime: takes the time.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidUnitError` for samples and
///   host time where it stands.
/// - Note: Any thread.
@discardableResult
public func CAClockGetStartTime(
  _ inCAClock: CAClockRef?, _ inTimeFormat: CAClockTimeFormat,
  _ outTime: UnsafeMutablePointer<CAClockTime>
) -> OSStatus {
  unsafe answer(inCAClock) { clock, times in
    let seconds = try times.snapshot.clock.timeContext.seconds(of: .ticks(clock.start))
    unsafe outTime.pointee = try times.time(seconds, in: inTimeFormat)
  }
}

/// Turns a time into another format.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTime: the time.
///   - inOutputTimeFormat: the format of the answer.
///   - outTime: takes the time; it may be `inTime`.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidUnitError` for samples of
///   a clock that runs by the host's, and between media time and samples or host time where it stands; `kCAClock_InvalidTimeFormatError` for
///   a label that does not exist, or a time out of range.
/// - Note: Any thread.
@discardableResult
public func CAClockTranslateTime(
  _ inCAClock: CAClockRef?, _ inTime: UnsafePointer<CAClockTime>,
  _ inOutputTimeFormat: CAClockTimeFormat, _ outTime: UnsafeMutablePointer<CAClockTime>
) -> OSStatus {
  unsafe answer(inCAClock) { _, times in
    let time = unsafe inTime.pointee
    if let converted = try times.absolute(time, in: inOutputTimeFormat) {
      unsafe outTime.pointee = converted
    } else {
      let seconds = try times.mediaSeconds(of: time)
      unsafe outTime.pointee = try times.time(seconds, in: inOutputTimeFormat)
    }
  }
}

/// Turns media time into a label of the clock's format, rounded down; it begins anew at 24 hours.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inSeconds: the time in seconds.
///   - inSubframeDivisor: parts of a frame; 0 counts as 1.
///   - outSMPTETime: takes the label.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidTimeFormatError` out of range.
/// - Note: Any thread.
@discardableResult
public func CAClockSecondsToSMPTETime(
  _ inCAClock: CAClockRef?, _ inSeconds: CAClockSeconds, _ inSubframeDivisor: UInt16,
  _ outSMPTETime: UnsafeMutablePointer<SMPTETime>
) -> OSStatus {
  unsafe answer(inCAClock) { _, times in
    unsafe outSMPTETime.pointee = try times.smpte(
      inSeconds, subframes: inSubframeDivisor)
  }
}

/// Turns a label of the clock's format into media time.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inSMPTETime: the label.
///   - outSeconds: takes the time in seconds.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_InvalidTimeFormatError` for a label that
///   does not exist, as those that drop-frame counting leaves out.
/// - Note: Any thread.
@discardableResult
public func CAClockSMPTETimeToSeconds(
  _ inCAClock: CAClockRef?, _ inSMPTETime: UnsafePointer<SMPTETime>,
  _ outSeconds: UnsafeMutablePointer<CAClockSeconds>
) -> OSStatus {
  unsafe answer(inCAClock) { _, times in
    unsafe outSeconds.pointee = try times.seconds(of: inSMPTETime.pointee)
  }
}

/// Turns beats into bar, beat and parts of a beat, rounded down.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inBeats: quarter notes from the start.
///   - inSubbeatDivisor: parts of a beat, above 0.
///   - outBarBeatTime: takes the place.
/// - Returns: 0; −50 for an invalid clock, for a divisor of 0, and out of range.
/// - Note: Any thread.
@discardableResult
public func CAClockBeatsToBarBeatTime(
  _ inCAClock: CAClockRef?, _ inBeats: CAClockBeats, _ inSubbeatDivisor: UInt16,
  _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>
) -> OSStatus {
  unsafe answer(inCAClock, misfit: kAudio_ParamError) { _, times in
    // What floating point falls short of a part by is none of the label's.
    let quarters = try Ratio(approximating: inBeats) + Ratio(1, over: 1 << 30)
    let place = try times.snapshot.clock.meterMap.barBeat(
      at: quarters, divisor: inSubbeatDivisor, rounding: .floor
    ).value
    unsafe outBarBeatTime.pointee = CABarBeatTime(
      bar: place.bar, beat: place.beat, subbeat: place.subbeat, subbeatDivisor: place.divisor,
      reserved: 0)
  }
}

/// Turns bar, beat and parts of a beat into beats.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inBarBeatTime: the place.
///   - outBeats: takes quarter notes from the start.
/// - Returns: 0; −50 for an invalid clock, or no such place.
/// - Note: Any thread.
@discardableResult
public func CAClockBarBeatTimeToBeats(
  _ inCAClock: CAClockRef?, _ inBarBeatTime: UnsafePointer<CABarBeatTime>,
  _ outBeats: UnsafeMutablePointer<CAClockBeats>
) -> OSStatus {
  unsafe answer(inCAClock, misfit: kAudio_ParamError) { _, times in
    let given = unsafe inBarBeatTime.pointee
    guard given.subbeatDivisor > 0 else { throw ClockFailure(kAudio_ParamError) }
    let label = BarBeat(
      bar: given.bar, beat: given.beat, subbeat: given.subbeat, divisor: given.subbeatDivisor)
    let quarters = try times.snapshot.clock.meterMap.quarters(at: label)
    unsafe outBeats.pointee = quarters.approximation
  }
}

/// Finds the clock that a call means and returns the code of what it does; `misfit` is the code for a
/// time that does not fit.
@unsafe
private func answer(
  _ reference: CAClockRef?, misfit: OSStatus = kCAClock_InvalidTimeFormatError,
  _ body: (ClockObject, ClockTimes) throws -> Void
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(reference) else { return kAudio_ParamError }
  do {
    try body(clock, ClockTimes(clock))
    return noErr
  } catch let failure as ClockFailure {
    return failure.status
  } catch ClockError.follows {
    return kCAClock_InvalidSyncModeError
  } catch {
    return misfit
  }
}
