// SPDX-License-Identifier: Apache-2.0

/// The keys of the drum channel.
///
/// Source: General MIDI System Level 1 (RP-003), percussion map; General MIDI 2 (RP-024) for 27 to
/// 34 and 82 to 87.
extension GeneralMIDI {
  /// Returns the name of the percussion sound of a key on the drum channel.
  ///
  /// - Parameter key: Any key.
  /// - Returns: The English name; nil below 27 and above 87.
  public static func name(ofDrum key: Key) -> String? {
    let place = Int(key.number) - firstDrum
    return drums.indices.contains(place) ? drums[place] : nil
  }

  /// Returns the keys whose percussion sounds match a name: one if the name is unambiguous,
  /// otherwise all candidates.
  ///
  /// - Parameter name: A short name as in a score (`snare`), a name or a part of one. Case, and
  ///   differences between spaces and hyphens, are ignored.
  /// - Returns: The keys, in order; empty if none matches.
  public static func drums(named name: String) -> [Key] {
    if let key = shortDrumNames[name.lowercased()] { return [Key(key)] }
    return NameMatch.places(of: name, in: drums).map { Key(UInt8(firstDrum + $0)) }
  }

  /// The key number of each short name of a drum, as used in scores.
  public static let shortDrumNames: [String: UInt8] = [
    "kick": 36, "kick2": 35, "rim": 37, "snare": 38, "clap": 39, "snare2": 40, "tom6": 41,
    "hat": 42, "tom5": 43, "pedal": 44, "tom4": 45, "open": 46, "tom3": 47, "tom2": 48,
    "crash": 49, "tom1": 50, "ride": 51, "china": 52, "bell": 53, "tambourine": 54, "splash": 55,
    "cowbell": 56, "crash2": 57, "vibraslap": 58, "ride2": 59, "bongo": 60, "bongo2": 61,
    "congamute": 62, "conga": 63, "conga2": 64, "timbale": 65, "timbale2": 66, "agogo": 67,
    "agogo2": 68, "cabasa": 69, "maracas": 70, "whistle": 71, "whistle2": 72, "guiro": 73,
    "guiro2": 74, "claves": 75, "block": 76, "block2": 77, "cuica": 78, "cuica2": 79,
    "triangle2": 80, "triangle": 81, "shaker": 82, "jingle": 83,
  ]

  private static let firstDrum = 27

  private static let drums = [
    "High Q", "Slap", "Scratch Push", "Scratch Pull", "Sticks", "Square Click", "Metronome Click",
    "Metronome Bell",
    "Acoustic Bass Drum", "Bass Drum 1", "Side Stick", "Acoustic Snare", "Hand Clap",
    "Electric Snare", "Low Floor Tom", "Closed Hi-hat", "High Floor Tom", "Pedal Hi-hat",
    "Low Tom", "Open Hi-hat", "Low-Mid Tom", "Hi-Mid Tom", "Crash Cymbal 1", "High Tom",
    "Ride Cymbal 1", "Chinese Cymbal", "Ride Bell", "Tambourine", "Splash Cymbal", "Cowbell",
    "Crash Cymbal 2", "Vibraslap", "Ride Cymbal 2", "Hi Bongo", "Low Bongo", "Mute Hi Conga",
    "Open Hi Conga", "Low Conga", "High Timbale", "Low Timbale", "High Agogo", "Low Agogo",
    "Cabasa", "Maracas", "Short Whistle", "Long Whistle", "Short Guiro", "Long Guiro", "Claves",
    "Hi Wood Block", "Low Wood Block", "Mute Cuica", "Open Cuica", "Mute Triangle",
    "Open Triangle",
    "Shaker", "Jingle Bell", "Bell Tree", "Castanets", "Mute Surdo", "Open Surdo",
  ]
}
