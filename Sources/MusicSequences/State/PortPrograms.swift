// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// The bank mode of one port and the preset of each channel, updated by the messages of a song.
///
/// Sources: General MIDI 2, Roland SC-88 and Yamaha MU80 owner's manuals.
public struct PortPrograms: Sendable {
  /// The current bank mode, never `auto`.
  public private(set) var mode: BankMode
  /// The channels that play drums: bit n is channel index n.
  public private(set) var drums: UInt16 = 1 << 9
  private let chosen: BankMode
  private let ownPresets: OwnPresets
  private var choices = (0..<16).map { ProgramChoice(isDrums: $0 == 9) }

  /// Creates the state at the beginning of a song.
  ///
  /// - Parameters:
  ///   - mode: The bank mode that the user has chosen; `auto` by default.
  ///   - ownPresets: The presets of the bank in the song's file; none by default.
  public init(_ mode: BankMode = .auto, ownPresets: OwnPresets = OwnPresets()) {
    chosen = mode
    self.ownPresets = ownPresets
    self.mode = mode.initial
  }

  /// The preset that a channel has chosen.
  public subscript(channel: Channel) -> ProgramChoice { choices[Int(channel.index)] }

  /// Applies a channel message.
  ///
  /// Only bank select and program change have an effect.
  public mutating func take(_ message: Message) {
    let channel = Int(message.status & 0x0F)
    switch (message.status & 0xF0, message.data1) {
    case (0xB0, 0): choices[channel].receive(upper: message.data2)
    case (0xB0, 32): choices[channel].receive(lower: message.data2)
    case (0xC0, let program):
      choices[channel].select(program, in: mode)
      reachOwnPreset(channel)
      note(channel)
    default: break
    }
  }

  /// Applies a SysEx message without F0 and F7.
  ///
  /// Only resets, and rhythm parts of GS and XG, have an effect.
  public mutating func take(sysEx bytes: ArraySlice<UInt8>) {
    guard let maker = bytes.first, [0x41, 0x43, 0x7E].contains(maker) else { return }
    let bytes = Array(bytes)
    if let reset = SysExReset(bytes) {
      mode = reset.bankMode.map(chosen.after) ?? chosen.initial
      for channel in choices.indices { choices[channel].reset(isDrums: channel == 9) }
      drums = 1 << 9
      return
    }
    for write in SettingWrite.all(in: bytes) {
      guard case .rhythm(let channel) = write.setting, let value = write.value.first else {
        continue
      }
      choices[Int(channel)].setDrums(value > 0)
      note(Int(channel))
    }
  }

  /// Selects a preset of the song's bank with a controller that the bank mode ignores.
  private mutating func reachOwnPreset(_ channel: Int) {
    guard !ownPresets.isEmpty else { return }
    let choice = choices[channel]
    // The preset that the mode selects, and the one of bank 0, have precedence.
    for place in 0..<2 {
      let (bank, program) = choice.candidate(place)
      if ownPresets.contains(bank: bank, program: program) { return }
    }
    for isUpper in ownPresets.hasLowerBanks ? [true, false] : [true] {
      guard let bank = choice.ignoredBank(isUpper: isUpper),
        ownPresets.contains(bank: bank, program: Int(choice.program))
      else { continue }
      return choices[channel].choose(bank: bank)
    }
  }

  private mutating func note(_ channel: Int) {
    let bit: UInt16 = 1 << UInt16(channel)
    drums = choices[channel].isDrums ? drums | bit : drums & ~bit
  }
}
