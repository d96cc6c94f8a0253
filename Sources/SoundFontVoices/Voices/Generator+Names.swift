// SPDX-License-Identifier: Apache-2.0

/// The generators that a voice uses, by name.
///
/// Source: SoundFont 2.04, section 8.1.2; the last two are not in the standard.
extension Generator {
  static var startOffset: Int { @_noAllocation @_noLocks get { 0 } }
  static var endOffset: Int { @_noAllocation @_noLocks get { 1 } }
  static var loopStartOffset: Int { @_noAllocation @_noLocks get { 2 } }
  static var loopEndOffset: Int { @_noAllocation @_noLocks get { 3 } }
  static var startCoarseOffset: Int { @_noAllocation @_noLocks get { 4 } }
  static var slowToPitch: Int { @_noAllocation @_noLocks get { 5 } }
  static var vibratoToPitch: Int { @_noAllocation @_noLocks get { 6 } }
  static var modulationToPitch: Int { @_noAllocation @_noLocks get { 7 } }
  static var cutoff: Int { @_noAllocation @_noLocks get { 8 } }
  static var resonance: Int { @_noAllocation @_noLocks get { 9 } }
  static var slowToCutoff: Int { @_noAllocation @_noLocks get { 10 } }
  static var modulationToCutoff: Int { @_noAllocation @_noLocks get { 11 } }
  static var endCoarseOffset: Int { @_noAllocation @_noLocks get { 12 } }
  static var slowToVolume: Int { @_noAllocation @_noLocks get { 13 } }
  static var chorusSend: Int { @_noAllocation @_noLocks get { 15 } }
  static var reverbSend: Int { @_noAllocation @_noLocks get { 16 } }
  static var pan: Int { @_noAllocation @_noLocks get { 17 } }
  static var slowDelay: Int { @_noAllocation @_noLocks get { 21 } }
  static var slowRate: Int { @_noAllocation @_noLocks get { 22 } }
  static var vibratoDelay: Int { @_noAllocation @_noLocks get { 23 } }
  static var vibratoRate: Int { @_noAllocation @_noLocks get { 24 } }
  static var modulationDelay: Int { @_noAllocation @_noLocks get { 25 } }
  static var modulationAttack: Int { @_noAllocation @_noLocks get { 26 } }
  static var modulationHold: Int { @_noAllocation @_noLocks get { 27 } }
  static var modulationDecay: Int { @_noAllocation @_noLocks get { 28 } }
  static var modulationSustain: Int { @_noAllocation @_noLocks get { 29 } }
  static var modulationRelease: Int { @_noAllocation @_noLocks get { 30 } }
  static var keyToModulationHold: Int { @_noAllocation @_noLocks get { 31 } }
  static var keyToModulationDecay: Int { @_noAllocation @_noLocks get { 32 } }
  static var volumeDelay: Int { @_noAllocation @_noLocks get { 33 } }
  static var volumeAttack: Int { @_noAllocation @_noLocks get { 34 } }
  static var volumeHold: Int { @_noAllocation @_noLocks get { 35 } }
  static var volumeDecay: Int { @_noAllocation @_noLocks get { 36 } }
  static var volumeSustain: Int { @_noAllocation @_noLocks get { 37 } }
  static var volumeRelease: Int { @_noAllocation @_noLocks get { 38 } }
  static var keyToVolumeHold: Int { @_noAllocation @_noLocks get { 39 } }
  static var keyToVolumeDecay: Int { @_noAllocation @_noLocks get { 40 } }
  static var loopStartCoarseOffset: Int { @_noAllocation @_noLocks get { 45 } }
  static var fixedKey: Int { @_noAllocation @_noLocks get { 46 } }
  static var fixedVelocity: Int { @_noAllocation @_noLocks get { 47 } }
  static var attenuation: Int { @_noAllocation @_noLocks get { 48 } }
  /// The permitted gain above the sample, 0…120 cB; set for DLS files, reserved in the standard.
  static var boost: Int { @_noAllocation @_noLocks get { 49 } }
  static var loopEndCoarseOffset: Int { @_noAllocation @_noLocks get { 50 } }
  static var coarseTune: Int { @_noAllocation @_noLocks get { 51 } }
  static var fineTune: Int { @_noAllocation @_noLocks get { 52 } }
  static var loopMode: Int { @_noAllocation @_noLocks get { 54 } }
  static var scaleTuning: Int { @_noAllocation @_noLocks get { 56 } }
  static var exclusiveClass: Int { @_noAllocation @_noLocks get { 57 } }
  static var rootKey: Int { @_noAllocation @_noLocks get { 58 } }
  static var pitch: Int { @_noAllocation @_noLocks get { 59 } }
  static var balance: Int { @_noAllocation @_noLocks get { 60 } }
}
