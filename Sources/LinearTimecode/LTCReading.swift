// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A frame of linear time code that was read, with its position in the sound.
public struct LTCReading: Hashable, Sendable {
  /// The contents of the frame.
  public let frame: LTCFrame
  /// The bits of the frame, in forward order.
  public let bits: LTCBits
  /// The position at which the sound of the frame begins; in reverse that is its last bit.
  public let start: LTCPlace
  /// The position at which the sound of the frame ends.
  public let end: LTCPlace
  /// True if labels run backwards.
  public let isReversed: Bool
  /// The frame rate by which labels count; nil until it is known.
  public let counting: FrameRate?
  /// The relation to the previous reported frame.
  public let continuity: LTCContinuity

  /// The position at which the frame's picture begins; if labels run backwards, that is `end`.
  public var pictureStart: LTCPlace { isReversed ? end : start }
}

/// The relation of a frame of linear time code to the previous one.
public enum LTCContinuity: Hashable, Sendable {
  /// The first frame, or one that does not continue the previous sequence.
  case begins
  /// The next frame.
  case continues
  /// The sequence continues, but this number of frames in between could not be read.
  case misses(Int)
}

/// A position in sound, which can be between samples.
public struct LTCPlace: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Units of 1/65,536 sample from the first sample.
  public let units: Int64

  /// Units per sample.
  public static let unitsInSample: Int64 = 65_536

  /// Creates a position.
  ///
  /// - Parameter units: Units of 1/65,536 sample from the first sample.
  public init(units: Int64) {
    self.units = units
  }

  /// The nearest sample; a half is rounded up.
  public var nearest: SampleTime {
    SampleTime(frames: (units + Self.unitsInSample / 2) >> 16)
  }

  /// The position in samples, for display; exact below 2³⁷ samples.
  public var samples: Double { Double(units) / Double(Self.unitsInSample) }

  /// Returns true if the left position is before the right one.
  public static func < (left: LTCPlace, right: LTCPlace) -> Bool { left.units < right.units }
}
