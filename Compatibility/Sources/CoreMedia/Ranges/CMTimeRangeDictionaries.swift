// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
internal import Foundation

// The keys can be `nonisolated(unsafe)` because they never change.

/// The key of a range's start: a time as a dictionary.
public nonisolated(unsafe) let kCMTimeRangeStartKey: CFString = "start"
/// The key of a range's duration: a time as a dictionary.
public nonisolated(unsafe) let kCMTimeRangeDurationKey: CFString = "duration"
/// The key of a mapping's source: a range as a dictionary.
public nonisolated(unsafe) let kCMTimeMappingSourceKey: CFString = "source"
/// The key of a mapping's target: a range as a dictionary.
public nonisolated(unsafe) let kCMTimeMappingTargetKey: CFString = "target"

/// Converts a range to a dictionary.
///
/// - Parameters:
///   - range: The range.
///   - allocator: Ignored.
/// - Returns: The dictionary.
public func CMTimeRangeCopyAsDictionary(
  _ range: CMTimeRange, allocator: CFAllocator?
) -> CFDictionary? {
  pair(
    unsafe kCMTimeRangeStartKey, CMTimeCopyAsDictionary(range.start, allocator: allocator),
    unsafe kCMTimeRangeDurationKey, CMTimeCopyAsDictionary(range.duration, allocator: allocator))
}

/// Reads a range from a dictionary that `CMTimeRangeCopyAsDictionary` returned.
///
/// - Parameter dictionaryRepresentation: The dictionary.
/// - Returns: The range; `.invalid` if a key is missing.
public func CMTimeRangeMakeFromDictionary(
  _ dictionaryRepresentation: CFDictionary
) -> CMTimeRange {
  guard let start = unsafe dictionaryRepresentation.part(kCMTimeRangeStartKey),
    let duration = unsafe dictionaryRepresentation.part(kCMTimeRangeDurationKey)
  else { return .invalid }
  return CMTimeRange(
    start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}

/// Returns a description of a range, such as `{{0/1 = 0.000}, {1/2 = 0.500}}`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - range: The range.
/// - Returns: The description.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
  NSString(string: range.text)
}

/// Prints a description of a range on standard output.
///
/// - Parameter range: The range.
public func CMTimeRangeShow(_ range: CMTimeRange) { print(range.text) }

/// Converts a mapping to a dictionary.
///
/// - Parameters:
///   - mapping: The mapping.
///   - allocator: Ignored.
/// - Returns: The dictionary.
public func CMTimeMappingCopyAsDictionary(
  _ mapping: CMTimeMapping, allocator: CFAllocator?
) -> CFDictionary? {
  pair(
    unsafe kCMTimeMappingSourceKey,
    CMTimeRangeCopyAsDictionary(mapping.source, allocator: allocator),
    unsafe kCMTimeMappingTargetKey,
    CMTimeRangeCopyAsDictionary(mapping.target, allocator: allocator))
}

/// Reads a mapping from a dictionary that `CMTimeMappingCopyAsDictionary` returned.
///
/// - Parameter dictionaryRepresentation: The dictionary.
/// - Returns: The mapping; `.invalid` if a key is missing.
public func CMTimeMappingMakeFromDictionary(
  _ dictionaryRepresentation: CFDictionary
) -> CMTimeMapping {
  guard let source = unsafe dictionaryRepresentation.part(kCMTimeMappingSourceKey),
    let target = unsafe dictionaryRepresentation.part(kCMTimeMappingTargetKey)
  else { return .invalid }
  return CMTimeMapping(
    source: CMTimeRangeMakeFromDictionary(source), target: CMTimeRangeMakeFromDictionary(target))
}

/// Returns a description of a mapping.
///
/// - Parameters:
///   - allocator: Ignored.
///   - mapping: The mapping.
/// - Returns: The description.
public func CMTimeMappingCopyDescription(
  allocator: CFAllocator?, mapping: CMTimeMapping
) -> CFString? {
  NSString(string: "{\(mapping.source.text), \(mapping.target.text)}")
}

/// Prints a description of a mapping on standard output.
///
/// - Parameter mapping: The mapping.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) {
  print("{\(mapping.source.text), \(mapping.target.text)}")
}

extension CMTimeRange {
  /// A description of the range.
  fileprivate var text: String { "{\(start.text), \(duration.text)}" }
}

extension NSDictionary {
  /// The dictionary for a key.
  fileprivate func part(_ key: CFString) -> NSDictionary? { object(forKey: key) as? NSDictionary }
}

private func pair(
  _ key: CFString, _ value: CFDictionary?, _ otherKey: CFString, _ otherValue: CFDictionary?
) -> CFDictionary? {
  guard let value, let otherValue else { return nil }
  let dictionary = NSMutableDictionary()
  dictionary.setObject(value, forKey: key)
  dictionary.setObject(otherValue, forKey: otherKey)
  return dictionary
}
