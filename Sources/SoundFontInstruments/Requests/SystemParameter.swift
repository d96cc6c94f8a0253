// SPDX-License-Identifier: Apache-2.0

/// A parameter of the system reverb or chorus, by its address in GS (40 01) or XG (02 01).
struct SystemParameter {
  let kind: RequestedEffect.Kind
  /// The name for users.
  let words: String
  /// True if Downbeat's own voices support it.
  var isPlayed = true

  /// The parameter at an address; nil for a type or an unknown address.
  ///
  /// Sources: Roland SC-88Pro owner's manual, Yamaha MU80 and MU100 owner's manuals, parameter
  /// lists.
  init?(isXG: Bool, address: Int) {
    let places = isXG ? Self.xg : Self.gs
    guard let (words, isPlayed) = places[address] else { return nil }
    kind = address < (isXG ? 0x20 : 0x38) ? .reverb : .chorus
    self.words = words
    self.isPlayed = isPlayed
  }

  private static let gs: [Int: (String, Bool)] = [
    0x31: ("character", true), 0x32: ("low-pass", true), 0x33: ("level", true),
    0x34: ("time", true), 0x35: ("feedback", true), 0x36: ("send to chorus", false),
    0x37: ("pre-delay", true), 0x39: ("low-pass", true), 0x3A: ("level", true),
    0x3B: ("feedback", true), 0x3C: ("delay", true), 0x3D: ("rate", true),
    0x3E: ("depth", true), 0x3F: ("send to reverb", true), 0x40: ("send to delay", true),
  ]

  private static let xg: [Int: (String, Bool)] = [
    0x02: ("time", true), 0x03: ("diffusion", false), 0x04: ("pre-delay", true),
    0x05: ("high-pass", true), 0x06: ("low-pass", true), 0x07: ("width", false),
    0x08: ("height", false), 0x09: ("depth", false), 0x0A: ("walls", false),
    0x0C: ("level", true), 0x0D: ("pan", true), 0x10: ("reverb delay", false),
    0x11: ("density", false), 0x12: ("early reflections", false), 0x13: ("damping", true),
    0x14: ("feedback", false), 0x22: ("rate", true), 0x23: ("depth", true),
    0x24: ("feedback", true), 0x25: ("delay", true), 0x27: ("equalizer", true),
    0x28: ("equalizer", true), 0x29: ("equalizer", true), 0x2A: ("equalizer", true),
    0x2C: ("level", true), 0x2D: ("pan", true), 0x2E: ("send to reverb", true),
    0x30: ("equalizer", true), 0x31: ("equalizer", true), 0x32: ("equalizer", true),
    0x33: ("phase", true),
  ]
}
