// SPDX-License-Identifier: Apache-2.0

/// The melodic presets in the bank that is embedded in a song's file.
///
/// Such songs select presets with controller 0 and, if the bank is a DLS file, also with controller
/// 32. These presets are found even in a bank mode that ignores the controller, such as GM.
public struct OwnPresets: Hashable, Sendable {
  /// The presets, each as bank number × 128 + program.
  public private(set) var numbers: Set<Int> = []

  /// True if presets are also selected with controller 32; false by default.
  public var hasLowerBanks = false

  /// Creates an empty set, for songs without a bank.
  public init() {}

  /// True if the set is empty.
  public var isEmpty: Bool { numbers.isEmpty }

  /// Adds a preset.
  ///
  /// The preset is ignored if its bank or program is outside 0…127, as it is for drum kits.
  public mutating func insert(bank: Int, program: Int) {
    guard (0..<128).contains(bank), (0..<128).contains(program) else { return }
    numbers.insert(bank << 7 | program)
  }

  /// Returns true if a preset is in the set.
  public func contains(bank: Int, program: Int) -> Bool {
    (0..<128).contains(bank) && numbers.contains(bank << 7 | program)
  }
}
