// SPDX-License-Identifier: Apache-2.0

/// The generators that a voice reads, by name.
///
/// Source: SoundFont 2.04, section 8.1.2; the last two stand where it has none.
extension Generator {
  @_transparent static var startOffset: Int { 0 }
  @_transparent static var endOffset: Int { 1 }
  @_transparent static var loopStartOffset: Int { 2 }
  @_transparent static var loopEndOffset: Int { 3 }
  @_transparent static var startCoarseOffset: Int { 4 }
  @_transparent static var slowToPitch: Int { 5 }
  @_transparent static var vibratoToPitch: Int { 6 }
  @_transparent static var modulationToPitch: Int { 7 }
  @_transparent static var cutoff: Int { 8 }
  @_transparent static var resonance: Int { 9 }
  @_transparent static var slowToCutoff: Int { 10 }
  @_transparent static var modulationToCutoff: Int { 11 }
  @_transparent static var endCoarseOffset: Int { 12 }
  @_transparent static var slowToVolume: Int { 13 }
  @_transparent static var chorusSend: Int { 15 }
  @_transparent static var reverbSend: Int { 16 }
  @_transparent static var pan: Int { 17 }
  @_transparent static var slowDelay: Int { 21 }
  @_transparent static var slowRate: Int { 22 }
  @_transparent static var vibratoDelay: Int { 23 }
  @_transparent static var vibratoRate: Int { 24 }
  @_transparent static var modulationDelay: Int { 25 }
  @_transparent static var modulationAttack: Int { 26 }
  @_transparent static var modulationHold: Int { 27 }
  @_transparent static var modulationDecay: Int { 28 }
  @_transparent static var modulationSustain: Int { 29 }
  @_transparent static var modulationRelease: Int { 30 }
  @_transparent static var keyToModulationHold: Int { 31 }
  @_transparent static var keyToModulationDecay: Int { 32 }
  @_transparent static var volumeDelay: Int { 33 }
  @_transparent static var volumeAttack: Int { 34 }
  @_transparent static var volumeHold: Int { 35 }
  @_transparent static var volumeDecay: Int { 36 }
  @_transparent static var volumeSustain: Int { 37 }
  @_transparent static var volumeRelease: Int { 38 }
  @_transparent static var keyToVolumeHold: Int { 39 }
  @_transparent static var keyToVolumeDecay: Int { 40 }
  @_transparent static var loopStartCoarseOffset: Int { 45 }
  @_transparent static var fixedKey: Int { 46 }
  @_transparent static var fixedVelocity: Int { 47 }
  @_transparent static var attenuation: Int { 48 }
  @_transparent static var loopEndCoarseOffset: Int { 50 }
  @_transparent static var coarseTune: Int { 51 }
  @_transparent static var fineTune: Int { 52 }
  @_transparent static var loopMode: Int { 54 }
  @_transparent static var scaleTuning: Int { 56 }
  @_transparent static var exclusiveClass: Int { 57 }
  @_transparent static var rootKey: Int { 58 }
  @_transparent static var pitch: Int { 59 }
  @_transparent static var balance: Int { 60 }
}
