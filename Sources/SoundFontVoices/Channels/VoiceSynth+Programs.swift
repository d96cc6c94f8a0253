// SPDX-License-Identifier: Apache-2.0

extension VoiceSynth {
  /// True if a font has a preset.
  @_noAllocation @_noLocks
  package func hasPreset(bank: Int, program: Int) -> Bool {
    patch(bank: bank, program: program) >= 0
  }

  /// Sets the preset of a channel; bank 128 is for drum kits.
  ///
  /// The channel is silent if fonts do not have the preset.
  @_noAllocation @_noLocks
  package mutating func choose(_ channel: Int, bank: Int, program: Int, isDrums: Bool) {
    unsafe channels[channel].isDrums = isDrums
    unsafe channels[channel].bank = Int32(truncatingIfNeeded: bank)
    unsafe channels[channel].program = Int32(truncatingIfNeeded: program)
    unsafe channels[channel].patch = patch(bank: bank, program: program)
  }

  /// The requested preset of a channel, and the patch that plays; the patch is below 0 if the
  /// preset is missing.
  @_noAllocation @_noLocks
  package func preset(of channel: Int) -> (bank: Int, program: Int, patch: Int) {
    unsafe (
      Int(channels[channel].bank), Int(channels[channel].program), Int(channels[channel].patch)
    )
  }

  @_noAllocation @_noLocks
  func patch(bank number: Int, program: Int) -> Int32 {
    unsafe Int32(
      truncatingIfNeeded: bank._withUnsafeGuaranteedRef { $0.patch(bank: number, program: program) }
    )
  }
}
