// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A mode of run loops: a set of sources and timers that are handled together.
public struct CFRunLoopMode: RawRepresentable, Hashable, @unchecked Sendable {
  // Unchecked: a string never changes.

  /// The name of the mode.
  public let rawValue: CFString

  /// Creates a mode.
  ///
  /// - Parameter rawValue: The name.
  public init(rawValue: CFString) {
    self.rawValue = rawValue
  }

  /// Creates a mode.
  ///
  /// - Parameter rawValue: The name.
  public init(_ rawValue: CFString) {
    self.init(rawValue: rawValue)
  }

  /// The mode in which run loops usually run.
  public static let defaultMode = CFRunLoopMode(
    rawValue: NSString(string: RunLoop.Mode.default.rawValue))
  /// All modes that are declared common, including the default mode.
  public static let commonModes = CFRunLoopMode(
    rawValue: NSString(string: RunLoop.Mode.common.rawValue))
}
