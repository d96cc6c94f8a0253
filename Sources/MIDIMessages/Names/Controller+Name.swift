// SPDX-License-Identifier: Apache-2.0

/// The names of controllers.
///
/// Source: MIDI 1.0 Detailed Specification, table III; Sound Controllers (RP-021).
extension Controller {
  /// The English name of the controller; nil if the standard does not define it.
  public var name: String? { Self.names[Int(number)] }

  /// Returns the controllers that match a name: one if the name is unambiguous, otherwise all
  /// candidates.
  ///
  /// - Parameter name: A name or a part of one. Case, and differences between spaces and hyphens,
  ///   are ignored.
  /// - Returns: The controllers, in order; empty if none matches.
  public static func named(_ name: String) -> [Controller] {
    NameMatch.places(of: name, in: names).map { Controller(UInt8($0)) }
  }

  private static let names: [String?] = {
    var names = [String?](repeating: nil, count: 128)
    for (number, name) in coarse {
      names[number] = name
      if number < 32 { names[number + 32] = "\(name) fine" }
    }
    for (number, name) in single { names[number] = name }
    return names
  }()

  /// The controllers 0…31.
  ///
  /// Each has its lower byte at 32 above.
  private static let coarse: [Int: String] = [
    0: "bank", 1: "modulation", 2: "breath", 4: "foot", 5: "portamento time", 6: "data entry",
    7: "volume", 8: "balance", 10: "pan", 11: "expression", 12: "effect 1", 13: "effect 2",
    16: "general 1", 17: "general 2", 18: "general 3", 19: "general 4",
  ]

  private static let single: [Int: String] = [
    64: "sustain", 65: "portamento", 66: "sostenuto", 67: "soft", 68: "legato", 69: "hold 2",
    70: "variation", 71: "resonance", 72: "release", 73: "attack", 74: "brightness", 75: "decay",
    76: "vibrato rate", 77: "vibrato depth", 78: "vibrato delay", 79: "sound 10",
    80: "general 5", 81: "general 6", 82: "general 7", 83: "general 8",
    84: "portamento control", 88: "fine velocity", 91: "reverb", 92: "tremolo", 93: "chorus",
    94: "detune", 95: "phaser", 96: "data up", 97: "data down", 98: "NRPN fine", 99: "NRPN",
    100: "RPN fine", 101: "RPN", 120: "all sound off", 121: "reset all", 122: "local control",
    123: "all notes off", 124: "omni off", 125: "omni on", 126: "mono", 127: "poly",
  ]
}
