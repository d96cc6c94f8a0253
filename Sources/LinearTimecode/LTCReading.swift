// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A frame of linear time code that was decoded, with its position in the sound.
public struct LTCReading: Hashable, Sendable {
  /// The contents of the frame.
  public let frame: LTCFrame
  /// The bits of the frame, in forward order even if the sound runs backwards.
  public let bits: LTCBits
  /// The position at which the sound of the frame begins.
  ///
  /// If the sound runs backwards, its last bit is there.
  public let start: LTCPlace
  /// The position at which the sound of the frame ends.
  public let end: LTCPlace
  /// True if the labels run backwards.
  public let isReversed: Bool
  /// The frame rate of the labels; nil until it is known.
  public let counting: FrameRate?
  /// The relation to the previous frame that was reported.
  public let continuity: LTCContinuity

  /// The position at which the video frame begins: `start`, or `end` if the labels run backwards.
  public var pictureStart: LTCPlace { isReversed ? end : start }
}

/// The relation of a frame of linear time code to the previous one.
public enum LTCContinuity: Hashable, Sendable {
  /// The frame is the first one, or its label does not continue the labels before it.
  case begins
  /// The label is the next one after the previous frame's.
  case continues
  /// The labels continue, but this number of frames in between could not be decoded.
  case misses(Int)
}

/// A position in sound, with a resolution of 1/65,536 sample.
public struct LTCPlace: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The position in units of 1/65,536 sample, counted from the first sample.
  public let units: Int64

  /// The number of units per sample: 65,536.
  public static let unitsInSample: Int64 = 65_536

  /// Creates a position from units.
  ///
  /// - Parameter units: The position in units of 1/65,536 sample, counted from the first sample.
  public init(units: Int64) {
    self.units = units
  }

  /// The sample nearest to the position; a half is rounded up.
  public var nearest: SampleTime {
    SampleTime(frames: (units + Self.unitsInSample / 2) >> 16)
  }

  /// The position in samples, for display; exact below 2³⁷ samples.
  public var samples: Double { Double(units) / Double(Self.unitsInSample) }

  /// Returns true if the left position is before the right one.
  public static func < (left: LTCPlace, right: LTCPlace) -> Bool { left.units < right.units }
}
