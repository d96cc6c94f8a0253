// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import ClockService
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// Sets the position from which a stopped clock starts.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTime: a time in beats, seconds or SMPTE time code.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_CannotSetTimeError` if it
///   is running; `kCAClock_InvalidTimeFormatError` for other formats and for time codes that do not
///   exist; `kCAClock_InvalidSyncModeError` if it follows a master.
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

/// Returns the current position of the clock, or the current host time or sample.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTimeFormat: the format of the result. Host time and samples advance even while the
///     clock is stopped.
///   - outTime: receives the time.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidUnitError` for
///   samples if the timebase is the host clock.
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

/// Returns the position from which the clock will start, or from which it started.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTimeFormat: the format of the result.
///   - outTime: receives the time.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidUnitError` for
///   samples and host time while the clock is stopped.
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

/// Converts a time to another format.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inTime: the time.
///   - inOutputTimeFormat: the format of the result.
///   - outTime: receives the converted time; it may be the same pointer as `inTime`.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidUnitError` for
///   samples if the timebase is the host clock, and between media time and samples or host time
///   while the clock is stopped; `kCAClock_InvalidTimeFormatError` for a time code that does not
///   exist, or a time out of range.
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

/// Converts media time to a time code in the clock's SMPTE format, rounded down; it wraps at 24
/// hours.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inSeconds: the media time in seconds.
///   - inSubframeDivisor: subframes per frame; 0 means 1.
///   - outSMPTETime: receives the time code.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidTimeFormatError` if
///   the time is out of range.
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

/// Converts a time code in the clock's SMPTE format to media time.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inSMPTETime: the time code.
///   - outSeconds: receives the media time in seconds.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_InvalidTimeFormatError` for
///   a time code that does not exist, such as one that drop-frame counting skips.
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

/// Converts beats to bar, beat and subbeat, rounded down.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inBeats: quarter notes from the start.
///   - inSubbeatDivisor: subbeats per beat, above 0.
///   - outBarBeatTime: receives bar, beat and subbeat.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid, the divisor is 0 or the time is out
///   of range.
/// - Note: Any thread.
@discardableResult
public func CAClockBeatsToBarBeatTime(
  _ inCAClock: CAClockRef?, _ inBeats: CAClockBeats, _ inSubbeatDivisor: UInt16,
  _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>
) -> OSStatus {
  unsafe answer(inCAClock, misfit: kAudio_ParamError) { _, times in
    // Compensates for a floating-point value just below a subbeat.
    let quarters = try Ratio(approximating: inBeats) + Ratio(1, over: 1 << 30)
    let place = try times.snapshot.clock.meterMap.barBeat(
      at: quarters, divisor: inSubbeatDivisor, rounding: .floor
    ).value
    unsafe outBarBeatTime.pointee = CABarBeatTime(
      bar: place.bar, beat: place.beat, subbeat: place.subbeat, subbeatDivisor: place.divisor,
      reserved: 0)
  }
}

/// Converts bar, beat and subbeat to beats.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inBarBeatTime: the bar, beat and subbeat.
///   - outBeats: receives quarter notes from the start.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid or the position does not exist.
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

/// Calls a function with the clock of a reference and returns the error code; `misfit` is the code
/// for a time out of range.
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
