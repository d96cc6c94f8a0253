// SPDX-License-Identifier: Apache-2.0

/// The parameters of one drum note in a drum setup map of GS or XG.
///
/// Sources: Roland SC-88Pro, parameters 24 rr…31 rr and addresses 41 mx rr; Yamaha MU80, parameters
/// 20 rr…31 rr and addresses 3n rr.
package struct NoteEdit: BitwiseCopyable, Sendable {
  /// Pitch in semitones, −64…63.
  package var pitch: Int8 = 0
  /// Fine pitch in cents, −64…63 (XG).
  package var finePitch: Int8 = 0
  /// Level, 0…127; 127 is that of the soundfont.
  package var level: UInt8 = 127
  /// Pan: 1 is left, 127 right, 0 random; 64 is the soundfont's pan.
  package var pan: UInt8 = 64
  /// Sends to reverb, chorus and delay (XG: variation), 0…127; 127 is the part's send.
  package var reverb: UInt8 = 127
  package var chorus: UInt8 = 127
  package var delay: UInt8 = 127
  /// Changes of cutoff, resonance, attack and decay (XG); 64 is neutral.
  package var cutoff: UInt8 = 64
  package var resonance: UInt8 = 64
  package var attack: UInt8 = 64
  package var decay: UInt8 = 64
  /// The exclusive group, whose notes end each other; 255 for that of the soundfont.
  package var group: UInt8 = 255
  /// True if note-ons, and note-offs, are received.
  package var receivesOn = true
  package var receivesOff = true

  /// The number of drum maps of a port: two maps in GS, four setups in XG.
  package static var mapCount: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  @_noAllocation @_noLocks
  package init() {}
}
