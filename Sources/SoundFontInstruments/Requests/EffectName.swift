// SPDX-License-Identifier: Apache-2.0

/// The names of effects.
///
/// Sources: Roland SC-88Pro owner's manual, EFX list and macros; Yamaha MU80 and MU100 owner's
/// manuals, effect type lists; General MIDI 2, global parameter control.
enum EffectName {
  /// The name of an effect; nil if the manuals do not have the type.
  static func name(
    of type: Int, _ standard: RequestedEffect.Standard, _ kind: RequestedEffect.Kind
  ) -> String? {
    switch (standard, kind) {
    case (.xg, .equalizer): "Multi EQ"
    case (.xg, _): xg[type] ?? xg[type & 0x7F00]
    case (_, .reverb): standard == .gs ? element(type, of: reverbs) : gm2Reverbs[type]
    case (_, .chorus): element(type, of: choruses)
    case (_, .delay): element(type, of: delays)
    case (_, .equalizer): "Equalizer"
    case (_, .insertion), (_, .variation): gs[type]
    }
  }

  private static func element(_ place: Int, of names: [String]) -> String? {
    names.indices.contains(place) ? names[place] : nil
  }

  private static let reverbs = [
    "Room 1", "Room 2", "Room 3", "Hall 1", "Hall 2", "Plate", "Delay", "Panning Delay",
  ]

  private static let gm2Reverbs = [
    0: "Small Room", 1: "Medium Room", 2: "Large Room", 3: "Medium Hall", 4: "Large Hall",
    8: "Plate",
  ]

  private static let choruses = [
    "Chorus 1", "Chorus 2", "Chorus 3", "Chorus 4", "Feedback Chorus", "Flanger", "Short Delay",
    "Short Delay (Feedback)",
  ]

  private static let delays = [
    "Delay 1", "Delay 2", "Delay 3", "Delay 4", "Pan Delay 1", "Pan Delay 2", "Pan Delay 3",
    "Pan Delay 4", "Delay to Reverb", "Pan Repeat",
  ]

  private static let gs = [
    0x0100: "Stereo-EQ", 0x0101: "Spectrum", 0x0102: "Enhancer", 0x0103: "Humanizer",
    0x0110: "Overdrive", 0x0111: "Distortion", 0x0120: "Phaser", 0x0121: "Auto Wah",
    0x0122: "Rotary", 0x0123: "Stereo Flanger", 0x0124: "Step Flanger", 0x0125: "Tremolo",
    0x0126: "Auto Pan", 0x0130: "Compressor", 0x0131: "Limiter", 0x0140: "Hexa Chorus",
    0x0141: "Tremolo Chorus", 0x0142: "Stereo Chorus", 0x0143: "Space D", 0x0144: "3D Chorus",
    0x0150: "Stereo Delay", 0x0151: "Mod Delay", 0x0152: "3 Tap Delay", 0x0153: "4 Tap Delay",
    0x0154: "Tm Ctrl Delay", 0x0155: "Reverb", 0x0156: "Gate Reverb", 0x0157: "3D Delay",
    0x0160: "2 Pitch Shifter", 0x0161: "Fb P.Shifter", 0x0170: "3D Auto", 0x0171: "3D Manual",
    0x0172: "Lo-Fi 1", 0x0173: "Lo-Fi 2", 0x0200: "OD>Chorus", 0x0201: "OD>Flanger",
    0x0202: "OD>Delay", 0x0203: "DS>Chorus", 0x0204: "DS>Flanger", 0x0205: "DS>Delay",
    0x0206: "EH>Chorus", 0x0207: "EH>Flanger", 0x0208: "EH>Delay", 0x0209: "Cho>Delay",
    0x020A: "FL>Delay", 0x020B: "Cho>Flanger", 0x0300: "Rotary Multi", 0x0400: "GTR Multi 1",
    0x0401: "GTR Multi 2", 0x0402: "GTR Multi 3", 0x0403: "Clean Gt Multi 1",
    0x0404: "Clean Gt Multi 2", 0x0405: "Bass Multi", 0x0406: "Rhodes Multi",
    0x0500: "Keyboard Multi", 0x1100: "Cho/Delay", 0x1101: "FL/Delay", 0x1102: "Cho/Flanger",
    0x1103: "OD/DS 1 and 2", 0x1104: "OD/Rotary", 0x1105: "OD/Phaser", 0x1106: "OD/Auto Wah",
    0x1107: "PH/Rotary", 0x1108: "PH/Auto Wah",
  ]

  /// By upper and lower byte.
  ///
  /// Other lower bytes have the meaning of 0.
  private static let xg = [
    0x0100: "Hall 1", 0x0101: "Hall 2", 0x0200: "Room 1", 0x0201: "Room 2", 0x0202: "Room 3",
    0x0300: "Stage 1", 0x0301: "Stage 2", 0x0400: "Plate", 0x0500: "Delay L,C,R",
    0x0600: "Delay L,R", 0x0700: "Echo", 0x0800: "Cross Delay", 0x0900: "Early Reflection 1",
    0x0901: "Early Reflection 2", 0x0A00: "Gate Reverb", 0x0B00: "Reverse Gate",
    0x1000: "White Room", 0x1100: "Tunnel", 0x1200: "Canyon", 0x1300: "Basement",
    0x1400: "Karaoke 1", 0x1401: "Karaoke 2", 0x1402: "Karaoke 3", 0x4100: "Chorus 1",
    0x4101: "Chorus 2", 0x4102: "Chorus 3", 0x4108: "Chorus 4", 0x4200: "Celeste 1",
    0x4201: "Celeste 2", 0x4202: "Celeste 3", 0x4208: "Celeste 4", 0x4300: "Flanger 1",
    0x4301: "Flanger 2", 0x4308: "Flanger 3", 0x4400: "Symphonic", 0x4500: "Rotary Speaker",
    0x4600: "Tremolo", 0x4700: "Auto Pan", 0x4800: "Phaser 1", 0x4808: "Phaser 2",
    0x4900: "Distortion", 0x4A00: "Overdrive", 0x4B00: "Amp Simulator", 0x4C00: "3-Band EQ",
    0x4D00: "2-Band EQ", 0x4E00: "Auto Wah", 0x5000: "Pitch Change 1", 0x5001: "Pitch Change 2",
    0x5100: "Harmonic Enhancer", 0x5200: "Touch Wah 1", 0x5201: "Touch Wah and Distortion",
    0x5208: "Touch Wah 2",
    0x5300: "Compressor", 0x5400: "Noise Gate", 0x5500: "Voice Cancel",
    0x5600: "2-Way Rotary Speaker", 0x5700: "Ensemble Detune", 0x5800: "Ambience",
    0x5D00: "Talking Modulator", 0x5E00: "Lo-Fi", 0x5F00: "Distortion and Delay",
    0x6000: "Compressor, Distortion and Delay", 0x6100: "Wah, Distortion and Delay",
  ]
}
