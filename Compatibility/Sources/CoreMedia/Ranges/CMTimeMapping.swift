// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio

extension CMTimeMapping {
  /// An invalid mapping.
  public static let invalid = CMTimeMapping(source: .invalid, target: .invalid)

  /// True if the target is valid.
  public var isValid: Bool { target.isValid }

  /// True if the mapping does not have a source, so that nothing is played in the target.
  public var isEmpty: Bool { !source.start.isNumeric }
}

/// An invalid mapping.
public let kCMTimeMappingInvalid = CMTimeMapping.invalid

/// Returns a mapping from a source to a target.
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
