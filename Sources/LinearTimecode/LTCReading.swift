// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A frame of linear timecode that was read from sound, and where in the sound it was.
public struct LTCReading: Hashable, Sendable {
  /// What the frame says.
  public let frame: LTCFrame
  /// Its bits, as they were met.
  public let bits: LTCBits
  /// Where in the sound the frame begins; backwards it is where its last bit does.
  public let start: LTCPlace
  /// Where in the sound the frame ends.
  public let end: LTCPlace
  /// Whether labels go backwards.
  public let isReversed: Bool
  /// How labels count, or nil while that is not known.
  public let counting: FrameRate?
  /// How the frame follows the one that was told before.
  public let continuity: LTCContinuity

  /// Where in the sound the picture of the frame begins: its end, where labels go backwards.
  public var pictureStart: LTCPlace { isReversed ? end : start }
}

/// How a frame of linear timecode follows the one before.
public enum LTCContinuity: Hashable, Sendable {
  /// The first of all, or another place than that at which the one before would have gone on.
  case begins
  /// The next frame.
  case continues
  /// The same run of frames, of which this many in between could not be read.
  case misses(Int)
}

/// A place in sound, between samples too.
public struct LTCPlace: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// 65,536ths of a sample from the first one.
  public let units: Int64

  /// Units in a sample.
  public static let unitsInSample: Int64 = 65_536

  /// Creates a place.
  ///
  /// - Parameter units: 65,536ths of a sample from the first one.
  public init(units: Int64) {
    self.units = units
  }

  /// The nearest sample; of two the later.
  public var nearest: SampleTime {
    SampleTime(frames: (units + Self.unitsInSample / 2) >> 16)
  }

  /// The place in samples, for printing: exact below 2³⁷ samples.
  public var samples: Double { Double(units) / Double(Self.unitsInSample) }

  /// Whether a place comes before another.
  public static func < (left: LTCPlace, right: LTCPlace) -> Bool { left.units < right.units }
}
