// SPDX-License-Identifier: Apache-2.0

/// An insertion or variation effect that a song asks for and Downbeat's own voices do not have; the
/// parts sound without it.
public struct MissingEffect: Hashable, Sendable {
  /// The upper and the lower byte of its type.
  public let type: (upper: UInt8, lower: UInt8)
  /// Whether it is one of XG; else it is one of GS.
  public let isXG: Bool

  init(type: Int, isXG: Bool) {
    self.type = (UInt8(truncatingIfNeeded: type >> 8), UInt8(truncatingIfNeeded: type))
    self.isXG = isXG
  }

  /// The name in the owner's manual, or the type's two bytes in hexadecimal.
  public var name: String {
    let key = Int(type.upper) << 8 | Int(type.lower)
    if let name = isXG ? Self.xgNames[Int(type.upper)] : Self.gsNames[key] { return name }
    return [type.upper, type.lower].map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined(separator: " ")
  }

  /// Whether both are the same type.
  public static func == (left: MissingEffect, right: MissingEffect) -> Bool {
    left.type == right.type && left.isXG == right.isXG
  }

  /// Mixes in the type.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type.upper)
    hasher.combine(type.lower)
    hasher.combine(isXG)
  }

  private static let gsNames = [
    0x0103: "Humanizer", 0x0155: "Reverb", 0x0156: "Gate Reverb", 0x0170: "3D Auto",
    0x0171: "3D Manual", 0x0300: "Rotary Multi", 0x0400: "GTR Multi 1", 0x0401: "GTR Multi 2",
    0x0402: "GTR Multi 3", 0x0403: "Clean Gt Multi 1", 0x0404: "Clean Gt Multi 2",
    0x0405: "Bass Multi", 0x0406: "Rhodes Multi", 0x0500: "Keyboard Multi", 0x1100: "Cho/Delay",
    0x1101: "FL/Delay", 0x1102: "Cho/Flanger", 0x1103: "OD/DS 1 and 2", 0x1104: "OD/Rotary",
    0x1105: "OD/Phaser", 0x1106: "OD/Auto Wah", 0x1107: "PH/Rotary", 0x1108: "PH/Auto Wah",
  ]

  private static let xgNames = [
    0x01: "Hall", 0x02: "Room", 0x03: "Stage", 0x04: "Plate", 0x09: "Early Reflection",
    0x0A: "Gate Reverb", 0x0B: "Reverse Gate", 0x10: "White Room", 0x11: "Tunnel",
    0x12: "Canyon", 0x13: "Basement", 0x14: "Karaoke", 0x54: "Noise Gate",
    0x55: "Voice Cancel", 0x56: "2-Way Rotary Speaker", 0x57: "Ensemble Detune",
    0x58: "Ambience", 0x5D: "Talking Modulator", 0x5F: "Distortion and Delay",
    0x60: "Compressor, Distortion and Delay", 0x61: "Wah, Distortion and Delay",
  ]
}
