// SPDX-License-Identifier: Apache-2.0

/// The parameters of one drum note in a drum setup map of GS or XG.
///
/// Sources: Roland SC-88Pro, parameters 24 rr…31 rr and addresses 41 mx rr; Yamaha MU80, parameters
/// 20 rr…31 rr and addresses 3n rr.
package struct NoteEdit: BitwiseCopyable, Sendable {
  /// In semitones, −64…63.
  package var pitch: Int8 = 0
  /// In cents, −64…63 (XG).
  package var finePitch: Int8 = 0
  /// 127 for the level of the soundfont.
  package var level: UInt8 = 127
  /// 1 for left to 127 for right, 0 for random, 64 for the place that the soundfont says.
  package var pan: UInt8 = 64
  /// Sends to reverb, chorus and delay (XG: variation), of which 127 are those of the part.
  package var reverb: UInt8 = 127
  package var chorus: UInt8 = 127
  package var delay: UInt8 = 127
  /// Changes of cutoff, resonance, attack and decay (XG); 64 for none.
  package var cutoff: UInt8 = 64
  package var resonance: UInt8 = 64
  package var attack: UInt8 = 64
  package var decay: UInt8 = 64
  /// The group of notes that end one another; 255 for that of the soundfont.
  package var group: UInt8 = 255
  /// Whether a note-on and a note-off are received.
  package var receivesOn = true
  package var receivesOff = true

  /// The sets of drum notes that a port has: two maps of GS, four setups of XG.
  package static var mapCount: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  @_noAllocation @_noLocks
  package init() {}
}
