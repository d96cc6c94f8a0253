// SPDX-License-Identifier: Apache-2.0

/// Options for creating a unit; units of this package are always in the process of the program.
public struct AudioComponentInstantiationOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Creates options from bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// In another process.
  public static let loadOutOfProcess = AudioComponentInstantiationOptions(rawValue: 1)
  /// In the process of the program.
  public static let loadInProcess = AudioComponentInstantiationOptions(rawValue: 2)
  /// On another machine.
  public static let loadedRemotely = AudioComponentInstantiationOptions(rawValue: 1 << 31)
}
