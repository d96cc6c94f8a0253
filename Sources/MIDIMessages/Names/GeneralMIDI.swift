// SPDX-License-Identifier: Apache-2.0

/// The names of General MIDI programs and General MIDI 2 drum kits.
///
/// Source: General MIDI System Level 1 (RP-003), General MIDI 2 (RP-024).
public enum GeneralMIDI {
  /// Returns the name of a program of bank 0.
  ///
  /// - Parameter program: The program, 0…127; higher bits are ignored.
  /// - Returns: The English name.
  public static func name(ofProgram program: UInt8) -> String {
    programs[Int(program & 0x7F)]
  }

  /// Returns the programs of bank 0 that match a name: one if the name is unambiguous, otherwise
  /// all candidates.
  ///
  /// - Parameter name: A name or a part of one. Case, and differences between spaces and hyphens,
  ///   are ignored.
  /// - Returns: Programs 0…127, in order; empty if none matches.
  public static func programs(named name: String) -> [UInt8] {
    NameMatch.places(of: name, in: programs).map(UInt8.init)
  }

  /// Returns the name of a drum kit.
  ///
  /// - Parameter program: The program that selects the kit on channel 10, 0…127.
  /// - Returns: The English name; nil if no kit has this number.
  public static func name(ofKit program: UInt8) -> String? {
    kits[program]
  }

  /// Returns the drum kits that match a name; see `programs(named:)`.
  ///
  /// - Parameter name: A name or a part of one.
  /// - Returns: Programs 0…127, in order; empty if none matches.
  public static func kits(named name: String) -> [UInt8] {
    NameMatch.places(of: name, in: (0...127).map { kits[$0] }).map(UInt8.init)
  }

  private static let kits: [UInt8: String] = [
    0: "Standard Kit", 8: "Room Kit", 16: "Power Kit", 24: "Electronic Kit", 25: "Analog Kit",
    32: "Jazz Kit", 40: "Brush Kit", 48: "Orchestra Kit", 56: "SFX Kit",
  ]

  private static let programs = [
    "Acoustic Grand Piano", "Bright Acoustic Piano", "Electric Grand Piano", "Honky-tonk Piano",
    "Electric Piano 1", "Electric Piano 2", "Harpsichord", "Clavi",
    "Celesta", "Glockenspiel", "Music Box", "Vibraphone", "Marimba", "Xylophone", "Tubular Bells",
    "Dulcimer",
    "Drawbar Organ", "Percussive Organ", "Rock Organ", "Church Organ", "Reed Organ", "Accordion",
    "Harmonica", "Tango Accordion",
    "Acoustic Guitar (nylon)", "Acoustic Guitar (steel)", "Electric Guitar (jazz)",
    "Electric Guitar (clean)", "Electric Guitar (muted)", "Overdriven Guitar", "Distortion Guitar",
    "Guitar Harmonics",
    "Acoustic Bass", "Electric Bass (finger)", "Electric Bass (pick)", "Fretless Bass",
    "Slap Bass 1", "Slap Bass 2", "Synth Bass 1", "Synth Bass 2",
    "Violin", "Viola", "Cello", "Contrabass", "Tremolo Strings", "Pizzicato Strings",
    "Orchestral Harp", "Timpani",
    "String Ensemble 1", "String Ensemble 2", "Synth Strings 1", "Synth Strings 2", "Choir Aahs",
    "Voice Oohs", "Synth Voice", "Orchestra Hit",
    "Trumpet", "Trombone", "Tuba", "Muted Trumpet", "French Horn", "Brass Section", "Synth Brass 1",
    "Synth Brass 2",
    "Soprano Sax", "Alto Sax", "Tenor Sax", "Baritone Sax", "Oboe", "English Horn", "Bassoon",
    "Clarinet",
    "Piccolo", "Flute", "Recorder", "Pan Flute", "Blown Bottle", "Shakuhachi", "Whistle", "Ocarina",
    "Lead 1 (square)", "Lead 2 (sawtooth)", "Lead 3 (calliope)", "Lead 4 (chiff)",
    "Lead 5 (charang)", "Lead 6 (voice)", "Lead 7 (fifths)", "Lead 8 (bass + lead)",
    "Pad 1 (new age)", "Pad 2 (warm)", "Pad 3 (polysynth)", "Pad 4 (choir)", "Pad 5 (bowed)",
    "Pad 6 (metallic)", "Pad 7 (halo)", "Pad 8 (sweep)",
    "FX 1 (rain)", "FX 2 (soundtrack)", "FX 3 (crystal)", "FX 4 (atmosphere)", "FX 5 (brightness)",
    "FX 6 (goblins)", "FX 7 (echoes)", "FX 8 (sci-fi)",
    "Sitar", "Banjo", "Shamisen", "Koto", "Kalimba", "Bag Pipe", "Fiddle", "Shanai",
    "Tinkle Bell", "Agogo", "Steel Drums", "Woodblock", "Taiko Drum", "Melodic Tom", "Synth Drum",
    "Reverse Cymbal",
    "Guitar Fret Noise", "Breath Noise", "Seashore", "Bird Tweet", "Telephone Ring", "Helicopter",
    "Applause", "Gunshot",
  ]
}
