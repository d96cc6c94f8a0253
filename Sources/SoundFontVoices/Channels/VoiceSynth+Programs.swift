// SPDX-License-Identifier: Apache-2.0

extension VoiceSynth {
  /// Whether a font has a preset.
  @_noAllocation @_noLocks
  package func hasPreset(bank: Int, program: Int) -> Bool {
    patch(bank: bank, program: program) >= 0
  }

  /// Gives a channel a preset, bank 128 for drum kits; silent if no font has it.
  @_noAllocation @_noLocks
  package mutating func choose(_ channel: Int, bank: Int, program: Int, isDrums: Bool) {
    guard unsafe channels[channel].isEnabled else { return }
    unsafe channels[channel].isDrums = isDrums
    unsafe channels[channel].bank = Int32(truncatingIfNeeded: bank)
    unsafe channels[channel].program = Int32(truncatingIfNeeded: program)
    unsafe channels[channel].patch = patch(bank: bank, program: program)
  }

  /// Chooses a preset whatever the bank mode.
  @_noAllocation @_noLocks
  package mutating func select(_ channel: Int, bank: Int, program: Int) {
    guard unsafe channels[channel].isEnabled else { return }
    unsafe channels[channel].bank = Int32(truncatingIfNeeded: bank)
    selectProgram(channel, Int32(truncatingIfNeeded: program))
  }

  /// Makes a channel play drums or not, with program 0.
  @_noAllocation @_noLocks
  package mutating func setDrums(_ channel: Int, _ isDrums: Bool) {
    unsafe channels[channel].isDrums = isDrums
    guard unsafe channels[channel].isEnabled else { return }
    selectProgram(channel, 0)
  }

  /// What a channel was asked to play, and the patch that it plays; the patch is below 0 where none.
  @_noAllocation @_noLocks
  package func preset(of channel: Int) -> (bank: Int, program: Int, patch: Int) {
    unsafe (
      Int(channels[channel].bank), Int(channels[channel].program), Int(channels[channel].patch)
    )
  }

  /// Plays a program of the channel's bank; else of bank 0, else its first, and of drums the first
  /// kit.
  @_noAllocation @_noLocks
  mutating func selectProgram(_ channel: Int, _ program: Int32) {
    let isDrums = unsafe channels[channel].isDrums
    let number = unsafe Int(isDrums ? SynthChannel.drumBank : channels[channel].bank)
    var patch = patch(bank: number, program: Int(program))
    if patch < 0, isDrums { patch = self.patch(bank: number, program: 0) }
    if patch < 0, !isDrums { patch = self.patch(bank: 0, program: Int(program)) }
    if patch < 0, !isDrums { patch = self.patch(bank: 0, program: 0) }
    unsafe channels[channel].program = program
    unsafe channels[channel].patch = patch
  }

  /// The upper byte of a bank, or the lower, as the mode reads it.
  @_noAllocation @_noLocks
  mutating func selectBank(_ channel: Int, upper value: UInt8) {
    switch bankMode {
    case .xg: unsafe channels[channel].isDrums = value >= 120
    case .gm: break
    case .gs where unsafe !channels[channel].isDrums:
      unsafe channels[channel].bank = Int32(value)
    case .mma where unsafe !channels[channel].isDrums:
      unsafe channels[channel].bank = channels[channel].bank & 0x7F | Int32(value) << 7
    case .gs, .mma: break
    }
  }

  @_noAllocation @_noLocks
  mutating func selectBank(_ channel: Int, lower value: UInt8) {
    switch bankMode {
    case .gm, .gs: break
    case .xg: unsafe channels[channel].bank = Int32(value)
    case .mma: unsafe channels[channel].bank = channels[channel].bank & ~0x7F | Int32(value)
    }
  }

  @_noAllocation @_noLocks
  func patch(bank number: Int, program: Int) -> Int32 {
    unsafe Int32(
      truncatingIfNeeded: bank._withUnsafeGuaranteedRef { $0.patch(bank: number, program: program) }
    )
  }
}
