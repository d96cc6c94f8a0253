// SPDX-License-Identifier: Apache-2.0

/// The rules by which bank select and program change choose a preset of a soundfont.
///
/// Sources: General MIDI 1 and 2, Roland SC-88 and Yamaha MU80 owner's manuals.
public enum BankMode: String, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  /// The rules of the last reset in the song (GM, GM2, GS or XG); those of GS before the first
  /// reset.
  case auto
  /// General MIDI: bank select is ignored.
  case gm
  /// Roland GS: controller 0 is the bank, and controller 32 is ignored.
  case gs
  /// Yamaha XG: controller 32 is the bank, and controller 0 is the kind of bank.
  ///
  /// The value 127 of controller 0 makes the channel a drum channel, 126 selects sound effects on
  /// keys, and 64 is the bank of sound effects. Other values make the channel melodic.
  case xg
  /// General MIDI 2: controller 32 is the bank, and controller 0 is the kind of bank.
  ///
  /// The value 120 of controller 0 makes the channel a drum channel, and 121 makes it melodic.
  case gm2

  /// The mode before the first reset: GS for `auto`, otherwise the mode itself.
  @inlinable public var initial: BankMode {
    switch self {
    case .auto: .gs
    default: self
    }
  }

  /// Returns the mode after a reset that selects a bank mode.
  ///
  /// - Parameter reset: The mode that the reset selects.
  /// - Returns: That mode if this one is `auto`; otherwise this mode, which resets do not change.
  @inlinable public func after(_ reset: BankMode) -> BankMode {
    switch self {
    case .auto: reset.initial
    default: self
    }
  }
}
