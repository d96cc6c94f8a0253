// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
internal import Foundation

// The keys can be `nonisolated(unsafe)` because they never change.

/// The key of a time's value: a 64-bit integer.
public nonisolated(unsafe) let kCMTimeValueKey: CFString = "value"
/// The key of a time's timescale: a 32-bit integer.
public nonisolated(unsafe) let kCMTimeScaleKey: CFString = "timescale"
/// The key of a time's epoch: a 64-bit integer.
public nonisolated(unsafe) let kCMTimeEpochKey: CFString = "epoch"
/// The key of a time's flags: a 32-bit integer.
public nonisolated(unsafe) let kCMTimeFlagsKey: CFString = "flags"

/// Converts a time to a dictionary.
///
/// - Parameters:
///   - time: The time.
///   - allocator: Ignored.
/// - Returns: The dictionary.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
  let dictionary = NSMutableDictionary()
  dictionary.setObject(NSNumber(value: time.value), forKey: unsafe kCMTimeValueKey)
  dictionary.setObject(NSNumber(value: time.timescale), forKey: unsafe kCMTimeScaleKey)
  dictionary.setObject(NSNumber(value: time.epoch), forKey: unsafe kCMTimeEpochKey)
  dictionary.setObject(NSNumber(value: time.flags.rawValue), forKey: unsafe kCMTimeFlagsKey)
  return dictionary
}

/// Reads a time from a dictionary that `CMTimeCopyAsDictionary` returned.
///
/// - Parameter dictionaryRepresentation: The dictionary.
/// - Returns: The time; `.invalid` if a key is missing.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
  func number(_ key: CFString) -> NSNumber? {
    dictionaryRepresentation?.object(forKey: key) as? NSNumber
  }
  guard let value = unsafe number(kCMTimeValueKey), let scale = unsafe number(kCMTimeScaleKey),
    let epoch = unsafe number(kCMTimeEpochKey), let flags = unsafe number(kCMTimeFlagsKey)
  else { return .invalid }
  return CMTime(
    value: value.int64Value, timescale: scale.int32Value,
    flags: CMTimeFlags(rawValue: flags.uint32Value), epoch: epoch.int64Value)
}

/// Returns a description of a time, such as `{1/2 = 0.500}`.
///
/// - Parameters:
///   - allocator: Ignored.
///   - time: The time.
/// - Returns: The description.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
  NSString(string: time.text)
}

/// Prints a description of a time on standard output.
///
/// - Parameter time: The time.
public func CMTimeShow(_ time: CMTime) { print(time.text) }

extension CMTime {
  /// Creates a time from a dictionary that `CMTimeCopyAsDictionary` returned.
  ///
  /// - Parameter dictionaryRepresentation: The dictionary; the time is invalid if a key is missing.
  public init(_ dictionaryRepresentation: CFDictionary) {
    self = CMTimeMakeFromDictionary(dictionaryRepresentation)
  }

  /// A description of the time.
  var text: String {
    guard isNumeric else {
      if isPositiveInfinity { return "{+INFINITY}" }
      if isNegativeInfinity { return "{-INFINITY}" }
      return isIndefinite ? "{INDEFINITE}" : "{INVALID}"
    }
    let decimal = String(format: "%.3f", seconds)
    let notes = (hasBeenRounded ? ", rounded" : "") + (epoch == 0 ? "" : ", epoch = \(epoch)")
    return "{\(value)/\(timescale) = \(decimal)\(notes)}"
  }
}
