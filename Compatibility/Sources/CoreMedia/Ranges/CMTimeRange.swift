// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension CMTimeRange {
  /// An empty range at 0.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  /// An invalid range.
  public static let invalid = CMTimeRange(start: .invalid, duration: .invalid)

  /// Creates a range from a start to an end.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The end, which is outside of the range.
  public init(start: CMTime, end: CMTime) {
    self = CMTimeRangeFromTimeToTime(start: start, end: end)
  }

  /// True if start and duration are valid, and the duration has epoch 0 and is not negative.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
  }

  /// True if the start or the duration is indefinite.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  /// True if the duration is 0.
  public var isEmpty: Bool { isValid && duration == .zero }

  /// The end, which is outside of the range.
  public var end: CMTime { CMTimeRangeGetEnd(self) }

  /// Returns the smallest range that contains both ranges.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetUnion(self, otherRange: otherRange)
  }

  /// Returns the largest range that both ranges contain.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    CMTimeRangeGetIntersection(self, otherRange: otherRange)
  }

  /// True if the range contains a time.
  public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

  /// True if the range contains another one.
  public func containsTimeRange(_ range: CMTimeRange) -> Bool {
    CMTimeRangeContainsTimeRange(self, otherRange: range)
  }
}

extension CMTimeRange: @retroactive Equatable, @retroactive Hashable {
  /// True if two ranges have the same start and duration.
  public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool {
    CMTimeRangeEqual(range1, range2)
  }

  /// Hashes the range, so that equal ranges have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(duration)
  }
}

/// An empty range at 0.
public let kCMTimeRangeZero = CMTimeRange.zero
/// An invalid range.
public let kCMTimeRangeInvalid = CMTimeRange.invalid
