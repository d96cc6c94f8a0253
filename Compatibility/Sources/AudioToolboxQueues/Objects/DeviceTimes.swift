// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime
internal import Realtime

/// The frames of a device and the host's clock.
struct DeviceTimes {
  /// The device's own times; nil before it has any.
  let clock: SampleClock?
  /// The first frame that was not rendered.
  let position: Int64
  /// Frames per second.
  let rate: SampleRate

  /// The frame that is audible at a host time, by the device's clock; without one, `position` is now.
  func frame(atHost host: UInt64) -> Int64 {
    let time = HostTime(nanoseconds: Int64(clamping: host))
    if let clock {
      let heard = time.advanced(saturating: clock.delay == .min ? 0 : -clock.delay)
      let start = clock.timeline.timeRoundedUp(atCount: position)
      return position &+ frames(heard.nanoseconds &- start.nanoseconds)
    }
    return position &+ frames(time.nanoseconds &- DeadlineWait.now)
  }

  /// The host time at which a frame is audible.
  func host(atFrame frame: Int64) -> UInt64 {
    if let clock {
      let time = clock.timeline.timeRoundedUp(atCount: frame).advanced(saturating: clock.delay)
      return UInt64(clamping: time.nanoseconds)
    }
    // At most 285 years, whose nanoseconds an Int64 holds.
    let seconds = max(-9e9, min(9e9, Double(frame &- position) / Double(rate.hertz)))
    return UInt64(clamping: DeadlineWait.now &+ Int64(seconds * 1e9))
  }

  /// Both forms of a time that has either.
  ///
  /// - Throws: `StatusError.parameter` for a time without a valid field, or out of range.
  func both(of time: AudioTimeStamp) throws(StatusError) -> AudioTimeStamp {
    var result: AudioTimeStamp
    if time.mFlags.contains(.sampleTimeValid) {
      guard let frame = Int64(exactly: time.mSampleTime.rounded()), frame.magnitude < 1 << 48 else {
        throw .parameter
      }
      result = stamp(time.mSampleTime)
      result.mHostTime = host(atFrame: frame)
    } else {
      guard time.mFlags.contains(.hostTimeValid) else { throw .parameter }
      result = stamp(Double(frame(atHost: time.mHostTime)))
      result.mHostTime = time.mHostTime
    }
    result.mFlags.insert(.hostTimeValid)
    return result
  }

  private func frames(_ nanoseconds: Int64) -> Int64 {
    Int64((Double(nanoseconds) / 1e9 * Double(rate.hertz)).rounded())
  }

  /// A time stamp of a frame.
  func stamp(_ frame: Double) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = frame
    stamp.mRateScalar = 1 + (clock?.drift ?? 0) / 1e6
    stamp.mFlags = [.sampleTimeValid, .rateScalarValid]
    return stamp
  }
}
