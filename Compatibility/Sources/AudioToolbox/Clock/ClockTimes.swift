// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import ClockService
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// Conversions between a clock's time formats, based on one snapshot.
struct ClockTimes {
  let snapshot: ClockSnapshot
  let settings: ClockSettings
  private let context: TimeContext

  init(_ clock: ClockObject) {
    snapshot = clock.transport.snapshot
    settings = clock.settings.withLock { $0 }
    context = snapshot.clock.timeContext
  }

  /// The media time of a time that a program passes in, in seconds.
  ///
  /// - Throws: `ClockFailure` if the clock cannot convert the time; `TimeError` if it is out of
  ///   range.
  func mediaSeconds(of time: CAClockTime) throws -> Ratio {
    switch time.format {
    case .beats:
      return unsafe try context.seconds(of: .quarters(Ratio(approximating: time.time.beats)))
    case .seconds: return unsafe try Ratio(approximating: time.time.seconds)
    case .smpteSeconds: return unsafe try Ratio(approximating: time.time.seconds - settings.offset)
    case .smpteTime: return unsafe try Ratio(approximating: seconds(of: time.time.smpte))
    case .hostTime: return unsafe try mediaSeconds(at: time.time.hostTime)
    case .absoluteSeconds:
      let nanoseconds = unsafe time.time.seconds * 1e9
      return try mediaSeconds(at: UInt64(exactly: nanoseconds.rounded()) ?? 0)
    case .samples: return unsafe try mediaSeconds(atSample: time.time.samples)
    @unknown default: throw ClockFailure(kCAClock_InvalidTimeFormatError)
    }
  }

  private func mediaSeconds(at host: UInt64) throws -> Ratio {
    guard snapshot.isRunning else { throw ClockFailure(kCAClock_InvalidUnitError) }
    let time = HostTime(nanoseconds: Int64(clamping: host))
    if let pace = snapshot.pace { return try mediaSeconds(atSample: pace.frame(at: time)) }
    return try context.seconds(of: .ticks(snapshot.ticks(at: time)))
  }

  /// Converts a media time in seconds to a format.
  func time(
    _ seconds: Ratio, in format: CAClockTimeFormat
  ) throws -> CAClockTime {
    switch format {
    case .beats:
      let quarters = try context.quarters(of: .seconds(seconds)).approximation
      return Self.time(format, .init(beats: quarters))
    case .seconds: return Self.time(format, .init(seconds: seconds.approximation))
    case .smpteSeconds:
      return Self.time(format, .init(seconds: seconds.approximation + settings.offset))
    case .smpteTime:
      return Self.time(format, .init(smpte: try smpte(seconds.approximation, subframes: 80)))
    case .hostTime: return Self.time(format, .init(hostTime: try hostTime(seconds)))
    case .absoluteSeconds:
      return Self.time(format, .init(seconds: Double(try hostTime(seconds)) / 1e9))
    case .samples: return samples(try sample(atMediaSeconds: seconds))
    @unknown default: throw ClockFailure(kCAClock_InvalidTimeFormatError)
    }
  }

  /// The host time of a media time, also in the past or before the start, at the current tempo.
  private func hostTime(_ seconds: Ratio) throws -> UInt64 {
    if let pace = snapshot.pace {
      let host = pace.hostTime(ofFrame: try sample(atMediaSeconds: seconds))
      return UInt64(clamping: host.nanoseconds)
    }
    guard let anchor = try snapshot.anchor(at: MonotonicClock.now) else {
      throw ClockFailure(kCAClock_InvalidUnitError)
    }
    let host = try anchor.hostTime(atSeconds: seconds, rounding: .nearest).value
    return UInt64(clamping: host.nanoseconds)
  }

  /// The current position of the clock, in seconds of media time.
  func now() throws -> Ratio {
    try context.seconds(of: .ticks(snapshot.ticks(at: MonotonicClock.now)))
  }

  /// The current host time in a format of host time, or nil for another format.
  static func machineTime(in format: CAClockTimeFormat) -> CAClockTime? {
    let now = mach_absolute_time()
    switch format {
    case .hostTime: return time(format, .init(hostTime: now))
    case .absoluteSeconds: return time(format, .init(seconds: Double(now) / 1e9))
    default: return nil
    }
  }

  private static func time(
    _ format: CAClockTimeFormat, _ value: CAClockTime.__Unnamed_union_time
  ) -> CAClockTime {
    CAClockTime(format: format, reserved: 0, time: value)
  }

  /// The time code of a media time, rounded down to a subframe; it wraps at 24 hours.
  func smpte(_ seconds: Double, subframes: UInt16) throws(TimeError) -> SMPTETime {
    let rate = settings.rate
    let base = max(1, subframes)
    // Compensates for a floating-point value just below a subframe.
    let parts =
      try Ratio(approximating: seconds + settings.offset)
      * rate.framesPerSecond * Ratio(Int64(base)) + Ratio(1, over: 1_000_000)
    let count = try parts.rounded(.floor, unit: "subframes").value
    guard let place = Timecode(subframes: count, base: base, rate: rate) else {
      throw .overflow("subframes")
    }
    let label = try place.label(.wrap)
    return SMPTETime(
      mSubframes: Int16(clamping: label.subframes), mSubframeDivisor: Int16(clamping: base),
      mCounter: 0, mType: settings.format,
      mFlags: snapshot.isRunning ? [.valid, .running] : .valid, mHours: Int16(label.hours),
      mMinutes: Int16(label.minutes), mSeconds: Int16(label.seconds), mFrames: Int16(label.frames))
  }

  /// The media time of a time code, in seconds.
  ///
  /// - Throws: `TimeError` if the time code does not exist.
  func seconds(of time: SMPTETime) throws(TimeError) -> Double {
    func field(_ value: Int16, _ name: String) throws(TimeError) -> UInt8 {
      guard let field = UInt8(exactly: value) else {
        throw .fieldOutOfRange(field: name, value: "\(value)", range: "0…255")
      }
      return field
    }
    let label = TimecodeLabel(
      hours: try field(time.mHours, "hours"), minutes: try field(time.mMinutes, "minutes"),
      seconds: try field(time.mSeconds, "seconds"), frames: try field(time.mFrames, "frames"),
      subframes: UInt16(clamping: time.mSubframes))
    let place = try Timecode(
      label: label, rate: settings.rate,
      subframeBase: UInt16(clamping: max(1, time.mSubframeDivisor)))
    return place.seconds.approximation - settings.offset
  }

  /// Converts a play rate from floating point, rounded to 2⁻²⁴.
  static func playRate(_ rate: Double) throws(TimeError) -> Ratio {
    // With at most 30 bits, products with any tempo do not overflow.
    guard rate.isFinite, rate.magnitude <= 64 else { throw .overflow("a play rate") }
    return Ratio(Int64((rate * 0x1p24).rounded()), over: 1 << 24)
  }
}
