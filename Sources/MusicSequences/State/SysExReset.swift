// SPDX-License-Identifier: Apache-2.0

/// A SysEx message that puts every channel into its initial state.
///
/// Source: General MIDI System Level 1 and 2; Roland GS, MT-32 and Yamaha XG specifications.
public enum SysExReset: Hashable, Sendable {
  case generalMIDI
  case generalMIDI2
  case gs
  case xg
  case mt32
  /// General MIDI System Off: the device returns to its native mode.
  case off

  /// Recognises a reset by the bytes between F0 and F7; nil for any other message.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes.count) {
    case (0x7E, 4) where bytes[2] == 0x09 && bytes[3] == 0x01: self = .generalMIDI
    case (0x7E, 4) where bytes[2] == 0x09 && bytes[3] == 0x02: self = .off
    case (0x7E, 4) where bytes[2] == 0x09 && bytes[3] == 0x03: self = .generalMIDI2
    case (0x41, 9) where bytes[2] == 0x42 && bytes[3] == 0x12:
      guard bytes[5] == 0, bytes[6] == 0x7F, bytes[4...].reduce(0, { $0 + Int($1) }) % 128 == 0
      else { return nil }
      switch (bytes[4], bytes[7]) {
      // System mode set of later models is a GS reset, too.
      case (0x40, 0x00), (0x00, 0x00...0x01): self = .gs
      case (0x40, 0x7F): self = .generalMIDI
      default: return nil
      }
    case (0x41, 8...) where bytes[2] == 0x16 && bytes[3] == 0x12 && bytes[4] == 0x7F:
      self = .mt32
    case (0x43, 7) where bytes[2] == 0x4C && Array(bytes[3..<5]) == [0, 0]:
      guard bytes[5] == 0x7E || bytes[5] == 0x7F, bytes[6] == 0 else { return nil }
      self = .xg
    default: return nil
    }
  }
}
