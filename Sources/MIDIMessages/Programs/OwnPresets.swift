// SPDX-License-Identifier: Apache-2.0

/// The melodic presets of the bank in a song's own file, as the song selects them.
///
/// Such songs select them by controller 0, and in DLS files by controller 32, too. A bank mode that
/// ignores the controller, as GM does, does not hide them.
public struct OwnPresets: Hashable, Sendable {
  /// The numbers of the banks times 128, plus the programs.
  public private(set) var numbers: Set<Int> = []

  /// True if they are also selected by controller 32; false by default.
  public var hasLowerBanks = false

  /// Creates an empty set, for songs without a bank.
  public init() {}

  /// True for an empty set.
  public var isEmpty: Bool { numbers.isEmpty }

  /// Adds a preset; kits and numbers outside 0…127 are left out.
  public mutating func insert(bank: Int, program: Int) {
    guard (0..<128).contains(bank), (0..<128).contains(program) else { return }
    numbers.insert(bank << 7 | program)
  }

  /// Returns true if a preset is one of them.
  public func contains(bank: Int, program: Int) -> Bool {
    (0..<128).contains(bank) && numbers.contains(bank << 7 | program)
  }
}
