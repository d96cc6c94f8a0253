// SPDX-License-Identifier: Apache-2.0

/// The General MIDI programs that correspond to those of an MT-32.
///
/// Sources: Roland MT-32 owner's manual, list of timbres, and General MIDI level 1, sound set.
/// Timbres are matched by name or by the most similar sound.
enum MT32Programs {
  /// The bank in which GS modules and some soundfonts have the MT-32's own timbres.
  static var bank: UInt8 {
    @_noAllocation @_noLocks
    get { 127 }
  }

  /// The bend range in cents: an octave.
  static var bendRange: UInt16 {
    @_noAllocation @_noLocks
    get { 1200 }
  }

  /// The nearest General MIDI programs, both counted from 0.
  static let nearest: [UInt8] = [
    // Pianos, organs, harpsichords, clavinets, celestas.
    0, 1, 2, 4, 4, 5, 5, 3, 16, 17, 18, 16, 19, 19, 19, 21, 6, 6, 6, 7, 7, 7, 8, 8,
    // Synthesiser brass and basses.
    62, 63, 62, 63, 38, 39, 38, 39,
    // Fantasy to Funny Vox, Echo Bell to Square Wave.
    88, 89, 52, 98, 97, 99, 14, 54, 102, 96, 68, 102, 81, 100, 14, 80,
    // Strings, harps, guitars, sitar.
    48, 49, 48, 45, 40, 40, 42, 42, 43, 46, 46, 24, 25, 27, 28, 104,
    // Basses.
    32, 32, 33, 34, 36, 37, 35, 35,
    // Flutes, saxophones, reeds.
    73, 73, 72, 72, 74, 75, 64, 65, 66, 67, 71, 71, 68, 69, 70, 22,
    // Brass.
    56, 59, 57, 57, 60, 60, 58, 61, 61,
    // Mallets and bells.
    11, 11, 12, 14, 9, 14, 13, 12,
    // Koto to Breathpipe.
    107, 22, 77, 78, 78, 76, 77,
    // Drums and effects.
    47, 117, 118, 118, 118, 116, 115, 119, 115, 112, 55, 124, 123, 80, 98, 96,
  ]

  /// The program of a channel after a reset, counted from 0; nil for channels without a part.
  ///
  /// Parts 1 to 8 are on channels 2 to 9.
  @_noAllocation @_noLocks
  static func initial(ofChannel channel: Int) -> UInt8? {
    switch channel {
    case 1: 68  // Slap Bass 1
    case 2: 48  // Str Sect 1
    case 3: 95  // Brs Sect 1
    case 4: 78  // Sax 1
    case 5: 41  // Ice Rain
    case 6: 3  // Elec Piano 1
    case 7: 110  // Bottleblow
    case 8: 122  // Orche Hit
    default: nil
    }
  }
}
