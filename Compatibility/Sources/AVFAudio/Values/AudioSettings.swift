// SPDX-License-Identifier: Apache-2.0
internal import CoreAudio
internal import Foundation

/// A dictionary of settings, whose values may be numbers of any type.
package struct AudioSettings {
  private let values: [String: Any]

  /// Creates settings.
  ///
  /// - Parameter values: The dictionary of a program.
  package init(_ values: [String: Any]) {
    self.values = values
  }

  /// A setting that a program gave in another type than the key's.
  package struct WrongType: Error {
    /// The key.
    package let key: String
  }

  /// Returns a number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; nil if the dictionary does not contain the key.
  /// - Throws: `WrongType` if the value is not a finite number.
  package func number(_ key: String) throws(WrongType) -> Double? {
    guard let value = values[key] else { return nil }
    let number: Double? =
      switch value {
      case let number as NSNumber: number.doubleValue
      case let number as any BinaryInteger: Double(number)
      default: nil
      }
    guard let number, number.isFinite else { throw WrongType(key: key) }
    return number
  }

  /// Returns a whole number.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number; nil if the dictionary does not contain the key.
  /// - Throws: `WrongType` if the value is not a whole number of 32 bits without a sign.
  package func unsigned(_ key: String) throws(WrongType) -> UInt32? {
    guard let number = try number(key) else { return nil }
    guard let whole = UInt32(exactly: number) else { throw WrongType(key: key) }
    return whole
  }

  /// Returns a truth value.
  ///
  /// - Parameter key: The key.
  /// - Returns: False if the dictionary does not contain the key.
  /// - Throws: `WrongType` if the value is not a number or a Bool.
  package func flag(_ key: String) throws(WrongType) -> Bool? {
    try number(key).map { $0 != 0 }
  }

  /// Returns a text.
  ///
  /// - Parameter key: The key.
  /// - Returns: The text; nil if the dictionary does not contain one.
  package func text(_ key: String) -> String? { values[key] as? String }

  /// Returns the channel layout.
  ///
  /// - Returns: The layout; nil if the dictionary does not contain one.
  /// - Throws: `WrongType` if the value is not the bytes of a layout.
  package func layout() throws(WrongType) -> AVAudioChannelLayout? {
    guard let value = values[AVChannelLayoutKey] else { return nil }
    guard let data = value as? Data, let layout = AVAudioChannelLayout(data: data) else {
      throw WrongType(key: AVChannelLayoutKey)
    }
    return layout
  }
}
