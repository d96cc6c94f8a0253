// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension CMTimeMapping {
  /// A mapping that is not valid.
  public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)

  /// True if the target is valid.
  public var isValid: Bool { target.isValid }

  /// True if the mapping is without a source.
  public var isEmpty: Bool { !source.start.isNumeric }
}

/// A mapping that is not valid.
public let kCMTimeMappingInvalid = CMTimeMapping.invalid

/// Returns a mapping.
///
/// - Parameters:
///   - source: The range that is played.
///   - target: The range in which it is played.
/// - Returns: The mapping; `.invalid` if the epoch of a duration is not 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  guard source.duration.epoch == 0, target.duration.epoch == 0 else { return .invalid }
  return CMTimeMapping(source: source, target: target)
}

/// Returns a mapping without a source.
///
/// - Parameter target: The range in which nothing is played.
/// - Returns: The mapping; `.invalid` if the epoch of the duration is not 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMappingMake(source: .invalid, target: target)
}
