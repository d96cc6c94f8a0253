// SPDX-License-Identifier: Apache-2.0

extension SoundModule {
  /// Gives the synthesiser the bank mode that it began with.
  @_noAllocation @_noLocks
  func resetBankMode() {
    guard nativeCount > 0 else { return }
    unsafe synth.applySysEx(native, count: nativeCount)
  }
}
