// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// An instant, given as a host time, a sample time, or both.
@safe
open class AVAudioTime: NSObject, @unchecked Sendable {
  private let stamp: AudioTimeStamp
  /// The sample rate in hertz; 0 if the sample time is not valid.
  public let sampleRate: Double

  /// Creates a time from an audio time stamp.
  ///
  /// - Parameters:
  ///   - ts: The time stamp. Its flags state which of its fields are valid.
  ///   - sampleRate: The sample rate in hertz.
  public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    stamp = unsafe ts.pointee
    self.sampleRate = sampleRate
    super.init()
  }

  private init(_ stamp: AudioTimeStamp, _ sampleRate: Double) {
    (self.stamp, self.sampleRate) = (stamp, sampleRate)
    super.init()
  }

  /// Creates a time from a host time.
  ///
  /// - Parameter hostTime: The host time, in units of `mach_absolute_time`.
  public convenience init(hostTime: UInt64) {
    self.init(.host(hostTime), 0)
  }

  /// Creates a time from a sample time.
  ///
  /// - Parameters:
  ///   - sampleTime: The sample time: a number of frames.
  ///   - sampleRate: The sample rate in hertz.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(.sample(sampleTime), sampleRate)
  }

  /// Creates a time from a host time and the sample time of the same instant.
  ///
  /// - Parameters:
  ///   - hostTime: The host time, in units of `mach_absolute_time`.
  ///   - sampleTime: The sample time: a number of frames.
  ///   - sampleRate: The sample rate in hertz.
  public convenience init(
    hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double
  ) {
    var stamp = AudioTimeStamp.sample(sampleTime)
    stamp.mHostTime = hostTime
    stamp.mFlags = .sampleHostTimeValid
    self.init(stamp, sampleRate)
  }

  /// Converts seconds to host time units.
  ///
  /// - Parameter seconds: A duration in seconds, at least 0.
  /// - Returns: The duration in host time units, rounded to the nearest unit; 0 if `seconds` is
  ///   negative.
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    let units = (seconds * AudioGetHostClockFrequency()).rounded()
    guard units > 0 else { return 0 }
    return units < 0x1p64 ? UInt64(units) : .max
  }

  /// Converts host time units to seconds.
  ///
  /// - Parameter hostTime: A duration or instant in host time units.
  /// - Returns: The duration or instant in seconds.
  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval {
    Double(hostTime) / AudioGetHostClockFrequency()
  }

  /// Returns this time with its missing host time or sample time calculated from an anchor.
  ///
  /// The sample rate of the result is that of this time if it has a sample time, otherwise that of
  /// the anchor.
  ///
  /// - Parameter anchorTime: An instant with a valid host time and a valid sample time.
  /// - Returns: A time with both fields; nil if the anchor does not have both, if this time has
  ///   neither, or if the result is out of range.
  open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    let isWhole = anchorTime.isHostTimeValid && anchorTime.isSampleTimeValid
    guard isWhole, anchorTime.sampleRate > 0 else { return nil }
    switch (isHostTimeValid, isSampleTimeValid) {
    case (true, true): return self
    case (false, false): return nil
    case (true, false): return sampleAdded(anchorTime)
    case (false, true): return hostAdded(anchorTime)
    }
  }

  private func sampleAdded(_ anchor: AVAudioTime) -> AVAudioTime? {
    let isLater = hostTime >= anchor.hostTime
    let distance = isLater ? hostTime - anchor.hostTime : anchor.hostTime - hostTime
    let seconds = Self.seconds(forHostTime: distance) * (isLater ? 1 : -1)
    let samples = (seconds * anchor.sampleRate).rounded()
    guard let count = Int64(exactly: samples) else { return nil }
    let (sample, isTooLarge) = anchor.sampleTime.addingReportingOverflow(count)
    guard !isTooLarge else { return nil }
    return AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: anchor.sampleRate)
  }

  private func hostAdded(_ anchor: AVAudioTime) -> AVAudioTime? {
    guard sampleRate > 0 else { return nil }
    // The anchor's sample time, counted at the rate of this time.
    let origin = Double(anchor.sampleTime) * sampleRate / anchor.sampleRate
    let seconds = (Double(sampleTime) - origin) / sampleRate
    guard abs(seconds) < 1e9 else { return nil }
    let distance = Self.hostTime(forSeconds: abs(seconds))
    let (host, isOut) =
      seconds < 0
      ? anchor.hostTime.subtractingReportingOverflow(distance)
      : anchor.hostTime.addingReportingOverflow(distance)
    guard !isOut else { return nil }
    return AVAudioTime(hostTime: host, sampleTime: sampleTime, atRate: sampleRate)
  }

  /// True if the host time is valid.
  open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }

  /// The host time, in units of `mach_absolute_time`; meaningful only if `isHostTimeValid` is true.
  open var hostTime: UInt64 { stamp.mHostTime }

  /// True if the sample time is valid.
  open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) }

  /// The sample time, rounded down to whole frames; meaningful only if `isSampleTimeValid` is true.
  ///
  /// The value is clamped to the range of 64-bit integers.
  open var sampleTime: AVAudioFramePosition {
    let whole = stamp.mSampleTime.rounded(.down)
    return AVAudioFramePosition(exactly: whole) ?? (whole > 0 ? .max : whole < 0 ? .min : 0)
  }

  /// The time as an audio time stamp.
  open var audioTimeStamp: AudioTimeStamp { stamp }

  /// Returns true if another object is an equal time.
  ///
  /// - Parameter object: The other object.
  /// - Returns: True if the object is a time with the same valid fields and equal values.
  override open func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioTime, other.stamp.mFlags == stamp.mFlags else {
      return false
    }
    return (!isHostTimeValid || hostTime == other.hostTime)
      && (!isSampleTimeValid || sampleTime == other.sampleTime && sampleRate == other.sampleRate)
  }

  /// The hash value of the host time and the sample time.
  override open var hash: Int {
    var hasher = Hasher()
    hasher.combine(isHostTimeValid ? hostTime : 0)
    hasher.combine(isSampleTimeValid ? sampleTime : 0)
    return hasher.finalize()
  }
}

extension AudioTimeStamp {
  fileprivate static func host(_ time: UInt64) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = time
    stamp.mFlags = .hostTimeValid
    return stamp
  }

  fileprivate static func sample(_ number: Int64) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(number)
    stamp.mFlags = .sampleTimeValid
    return stamp
  }
}
