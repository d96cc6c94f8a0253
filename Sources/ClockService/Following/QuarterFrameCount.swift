// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A position in quarter frames from 00:00:00:00, as time code counts frames.
///
/// The count runs on past midnight; labels wrap.
public struct QuarterFrameCount: Hashable, BitwiseCopyable, Sendable {
  /// Quarter frames from 00:00:00:00; past a day, or negative, where motion crossed midnight.
  public var count: Int64
  /// How the labels count.
  public var code: MTCCode

  /// Creates a position.
  public init(count: Int64, code: MTCCode) {
    self.count = count
    self.code = code
  }

  /// The label under way.
  public var label: TimecodeLabel {
    let rate = FrameRate(mtcCode: code)
    return rate.label(ofFrameInDay: frame.wrapped(to: rate.framesPerDay))
  }

  /// The frame under way, counted from 00:00:00:00.
  public var frame: Int64 { count >> 2 }
}

extension Timeline where Count == QuarterFrameCount {
  /// The piece in media time: nanoseconds into the day of labels, at a true frame rate.
  ///
  /// - Note: Real-time safe.
  public func media(rate: FrameRate) -> Timeline<MediaTime, Time> {
    let exact = Ratio(1_000_000_000 * rate.fpsDenominator, over: 4 * rate.fpsNumerator)
    return rescaled(multiplier: Int64(exact.numerator), over: Int64(exact.denominator))
  }
}

extension FrameRate {
  /// The frame of a label counted from 00:00:00:00, or nil where there is no such label.
  ///
  /// What `frame(of:)` gives, without the error's text: pieces on the wire are often wrong.
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
  /// The remainder that is not negative.
  func wrapped(to length: Int64) -> Int64 {
    let rest = self % length
    return rest < 0 ? rest + length : rest
  }
}
