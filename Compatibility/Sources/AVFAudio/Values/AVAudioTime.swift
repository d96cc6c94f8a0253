// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// An instant as host time, as the number of a sample, or as both.
@safe
open class AVAudioTime: NSObject, @unchecked Sendable {
  private let stamp: AudioTimeStamp
  /// Samples per second; 0 if the sample time is not valid.
  public let sampleRate: Double

  /// Creates a time from a time stamp.
  ///
  /// - Parameters:
  ///   - ts: The time stamp, whose flags state the valid fields.
  ///   - sampleRate: Samples per second.
  public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    stamp = unsafe ts.pointee
    self.sampleRate = sampleRate
    super.init()
  }

  private init(_ stamp: AudioTimeStamp, _ sampleRate: Double) {
    (self.stamp, self.sampleRate) = (stamp, sampleRate)
    super.init()
  }

  /// Creates a time from host time.
  ///
  /// - Parameter hostTime: Host time, in units of `mach_absolute_time`.
  public convenience init(hostTime: UInt64) {
    self.init(.host(hostTime), 0)
  }

  /// Creates a time from the number of a sample.
  ///
  /// - Parameters:
  ///   - sampleTime: The number of the sample.
  ///   - sampleRate: Samples per second.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(.sample(sampleTime), sampleRate)
  }

  /// Creates a time from host time and the number of a sample.
  ///
  /// - Parameters:
  ///   - hostTime: Host time, in units of `mach_absolute_time`.
  ///   - sampleTime: The number of the sample at that time.
  ///   - sampleRate: Samples per second.
  public convenience init(
    hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double
  ) {
    var stamp = AudioTimeStamp.sample(sampleTime)
    stamp.mHostTime = hostTime
    stamp.mFlags = .sampleHostTimeValid
    self.init(stamp, sampleRate)
  }

  /// Returns seconds as host time.
  ///
  /// - Parameter seconds: Seconds, at least 0.
  /// - Returns: Host time, rounded to the nearest unit; 0 for seconds below 0.
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    let units = (seconds * AudioGetHostClockFrequency()).rounded()
    guard units > 0 else { return 0 }
    return units < 0x1p64 ? UInt64(units) : .max
  }

  /// Returns host time in seconds.
  ///
  /// - Parameter hostTime: Host time.
  /// - Returns: Seconds.
  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval {
    Double(hostTime) / AudioGetHostClockFrequency()
  }

  /// Adds the missing field of this time, from a time that has both.
  ///
  /// The anchor has a valid host time and sample time. The sample rate of the result is that of
  /// this time if it has a sample time, otherwise that of the anchor.
  ///
  /// - Parameter anchorTime: A time with both fields.
  /// - Returns: This time with both fields; nil if the anchor does not have both, if this time has
  ///   none, and if the result is out of range.
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

  /// True if the time has a host time.
  open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }

  /// Host time, in units of `mach_absolute_time`.
  open var hostTime: UInt64 { stamp.mHostTime }

  /// True if the time has a sample time.
  open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) }

  /// The number of the sample, rounded down; within the range of 64-bit integers.
  open var sampleTime: AVAudioFramePosition {
    let whole = stamp.mSampleTime.rounded(.down)
    return AVAudioFramePosition(exactly: whole) ?? (whole > 0 ? .max : whole < 0 ? .min : 0)
  }

  /// The time as a time stamp.
  open var audioTimeStamp: AudioTimeStamp { stamp }

  /// True for a time with the same fields.
  ///
  /// - Parameter object: Another object.
  /// - Returns: True if it is an equal time.
  override open func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioTime, other.stamp.mFlags == stamp.mFlags else {
      return false
    }
    return (!isHostTimeValid || hostTime == other.hostTime)
      && (!isSampleTimeValid || sampleTime == other.sampleTime && sampleRate == other.sampleRate)
  }

  /// A hash of host time and sample time.
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
