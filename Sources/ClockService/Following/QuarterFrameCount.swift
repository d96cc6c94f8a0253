// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A position in time code, counted in quarter frames from 00:00:00:00.
///
/// The count continues after midnight, but labels start again at 00:00:00:00.
public struct QuarterFrameCount: Hashable, BitwiseCopyable, Sendable {
  /// Quarter frames from 00:00:00:00; more than a day, or negative, after motion across midnight.
  public var count: Int64
  /// The frame rate code of MIDI time code.
  public var code: MTCCode

  /// Creates a position from a number of quarter frames.
  public init(count: Int64, code: MTCCode) {
    self.count = count
    self.code = code
  }

  /// The time code label of the current frame.
  public var label: TimecodeLabel {
    let rate = FrameRate(mtcCode: code)
    return rate.label(ofFrameInDay: frame.wrapped(to: rate.framesPerDay))
  }

  /// The number of the current frame, counted from 00:00:00:00.
  public var frame: Int64 { count >> 2 }
}

extension Timeline where Count == QuarterFrameCount {
  /// Returns the timeline in media time instead of quarter frames: nanoseconds from 00:00:00:00 at
  /// an actual frame rate.
  ///
  /// - Note: Real-time safe.
  public func media(rate: FrameRate) -> Timeline<MediaTime, Time> {
    let exact = Ratio(1_000_000_000 * rate.fpsDenominator, over: 4 * rate.fpsNumerator)
    return rescaled(multiplier: Int64(exact.numerator), over: Int64(exact.denominator))
  }
}

extension FrameRate {
  /// The frame of a label, from 00:00:00:00, or nil if the label does not exist.
  ///
  /// It equals `frame(of:)` without the text of an error, because received labels are often wrong.
  func frameOfExisting(_ label: TimecodeLabel) -> Int64? {
    guard label.hours < 24, label.minutes < 60, label.seconds < 60, label.frames < nominal,
      !isDropped(label)
    else { return nil }
    let minutes = 60 * Int64(label.hours) + Int64(label.minutes)
    let number = (60 * minutes + Int64(label.seconds)) * Int64(nominal) + Int64(label.frames)
    return number - droppedLabels * (minutes - minutes / 10)
  }
}

extension Int64 {
  /// The non-negative remainder.
  func wrapped(to length: Int64) -> Int64 {
    let rest = self % length
    return rest < 0 ? rest + length : rest
  }
}
