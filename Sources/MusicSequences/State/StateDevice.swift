// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The device whose initial values state returns to.
public enum StateDevice: Hashable, Sendable {
  /// A device at a port: its maker's published values.
  case published
  /// Our own synthesiser, whose sends and effects begin with values of its own.
  case synthesizer

  /// General MIDI System Off, after which a device is in its native mode.
  static let systemOff: [UInt8] = [0x7E, 0x7F, 0x09, 0x02]

  /// The send to the reverb of a channel that was never given one, after a reset.
  ///
  /// Our synthesiser has none until a reset of GS, XG or General MIDI 2 asks for it.
  func reverbSend(after mode: SysExReset?) -> UInt8 {
    switch (self, mode) {
    case (.published, _), (_, .gs), (_, .xg), (_, .generalMIDI2): 40
    default: 0
    }
  }

  /// The message that gives an effect the values of a reset, if the device has one for that.
  ///
  /// Our synthesiser begins with a reverb that no message of GM2, GS or XG asks for, and with drum
  /// notes as the soundfont has them.
  func initialMessage(of group: SettingGroup) -> [UInt8]? {
    guard self == .synthesizer else { return nil }
    switch group {
    case .reverb: return [0x7D, 0x44, 0x42, 0x01]
    case .chorus: return [0x7D, 0x44, 0x42, 0x02]
    case .drumSetup(let number): return [0x7D, 0x44, 0x42, 0x03, number & 0x0F]
    default: return nil
    }
  }
}
