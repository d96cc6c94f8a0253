// SPDX-License-Identifier: Apache-2.0

/// The preset of one channel, as chosen by bank select and program change.
///
/// A bank select takes effect with the next program change, even if a reset is between them.
public struct ProgramChoice: Hashable, Sendable, BitwiseCopyable {
  /// The bank number of drum kits in a soundfont.
  @inlinable public static var drumBank: Int { 128 }
  /// The maximum number of presets to try for a choice; see `candidate(_:)`.
  @inlinable public static var candidateCount: Int { 3 }

  /// True if the channel plays drums.
  public var isDrums: Bool
  /// The chosen bank, 0…127; 128 for drum kits.
  public var bank: UInt8
  /// The chosen program, 0…127.
  public var program: UInt8
  /// The last values of controllers 0 and 32.
  @usableFromInline var upper: UInt8 = 0
  @usableFromInline var lower: UInt8 = 0
  /// True if the controllers were received after the last program change.
  @usableFromInline var hasNewUpper = false
  @usableFromInline var hasNewLower = false

  /// Creates the choice that a channel has after a reset: program 0 of bank 0, or drum kit 0.
  @inlinable public init(isDrums: Bool) {
    self.init(bank: isDrums ? 128 : 0, program: 0, isDrums: isDrums)
  }

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - bank: The bank, 0…127; 128 for drum kits.
  ///   - program: The program, 0…127.
  ///   - isDrums: True if the channel plays drums.
  @inlinable public init(bank: UInt8, program: UInt8, isDrums: Bool) {
    self.isDrums = isDrums
    self.bank = bank
    self.program = program & 0x7F
  }

  /// Stores the upper byte of a bank select (controller 0), for the next program change.
  @inlinable public mutating func receive(upper value: UInt8) {
    upper = value & 0x7F
    hasNewUpper = true
  }

  /// Stores the lower byte of a bank select (controller 32), for the next program change.
  @inlinable public mutating func receive(lower value: UInt8) {
    lower = value & 0x7F
    hasNewLower = true
  }

  /// Selects a program, together with the bank that was received before.
  ///
  /// - Parameters:
  ///   - program: The program, 0…127.
  ///   - mode: The current bank mode.
  @inlinable public mutating func select(_ program: UInt8, in mode: BankMode) {
    self.program = program & 0x7F
    if hasNewUpper {
      switch mode {
      case .xg: isDrums = upper == 126 || upper == 127
      case .gm2: isDrums = upper == 120 || isDrums && upper != 121
      case .auto, .gm, .gs: break
      }
    }
    hasNewUpper = false
    hasNewLower = false
    bank = isDrums ? kitBank(in: mode) : melodicBank(in: mode)
  }

  /// Makes the channel a drum channel or a melodic channel, with program 0, after a SysEx message
  /// that does so.
  @inlinable public mutating func setDrums(_ isDrums: Bool) {
    self.isDrums = isDrums
    hasNewUpper = false
    bank = isDrums ? 128 : 0
    program = 0
  }

  /// Returns the channel to its initial choice after a reset.
  ///
  /// A bank select that a program change has not followed yet still applies to the next one.
  ///
  /// - Parameter isDrums: True if the channel plays drums after the reset.
  @inlinable public mutating func reset(isDrums: Bool) {
    self.isDrums = isDrums
    bank = isDrums ? 128 : 0
    program = 0
    if !hasNewUpper { upper = 0 }
    if !hasNewLower { lower = 0 }
  }

  /// Returns one of the presets to try, in order of preference; the first that the soundfont
  /// contains is played.
  ///
  /// A melodic channel tries the chosen preset, the same program in bank 0, and program 0 of bank
  /// 0. A drum channel tries the chosen kit, and then kit 0. If the soundfont contains none of
  /// them, the channel is silent.
  ///
  /// - Parameter place: The order of preference, 0..<`candidateCount`.
  /// - Returns: The preset; bank 128 for drum kits.
  @inlinable public func candidate(_ place: Int) -> (bank: Int, program: Int) {
    switch place {
    case 0: (Int(bank), Int(program))
    case 1: (isDrums ? Self.drumBank : 0, Int(program))
    default: (isDrums ? Self.drumBank : 0, 0)
    }
  }

  /// Returns the bank that was selected by a controller which the bank mode ignores.
  ///
  /// In every bank mode, these controllers select the presets that are embedded in a song's file
  /// (`OwnPresets`).
  ///
  /// - Parameter isUpper: True for controller 0; false for controller 32.
  /// - Returns: The bank, 1…127; nil for bank 0, for a bank that is already chosen, and for drums.
  @inlinable public func ignoredBank(isUpper: Bool) -> Int? {
    let value = isUpper ? upper : lower
    return isDrums || value == 0 || value == bank ? nil : Int(value)
  }

  /// Selects the bank of a melodic channel immediately.
  ///
  /// - Parameter bank: The bank, 0…127.
  @inlinable public mutating func choose(bank: Int) {
    self.bank = UInt8(truncatingIfNeeded: bank) & 0x7F
  }

  @inlinable func kitBank(in mode: BankMode) -> UInt8 {
    switch mode {
    case .xg: upper == 126 ? 126 : 128
    case .auto, .gm, .gs, .gm2: 128
    }
  }

  @inlinable func melodicBank(in mode: BankMode) -> UInt8 {
    switch mode {
    case .gm: 0
    case .auto, .gs: upper
    case .xg: upper == 64 ? 64 : lower
    case .gm2: lower
    }
  }
}
