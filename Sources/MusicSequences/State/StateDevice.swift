// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The kind of device, which determines the initial values after a reset.
public enum StateDevice: Hashable, Sendable {
  /// A device at a port, with the initial values that its maker published.
  case published
  /// Downbeat's synthesiser, which has different initial sends and effects.
  case synthesizer

  /// General MIDI System Off, which puts a device into its native mode.
  static let systemOff: [UInt8] = [0x7E, 0x7F, 0x09, 0x02]

  /// The reverb send of a channel after a reset.
  ///
  /// Downbeat's synthesiser has a send of 0 until a reset to GS, XG or General MIDI 2.
  func reverbSend(after mode: SysExReset?) -> UInt8 {
    switch (self, mode) {
    case (.published, _), (_, .gs), (_, .xg), (_, .generalMIDI2): 40
    default: 0
    }
  }

  /// The message that resets an effect, or nil if the device does not have one.
  ///
  /// Downbeat's synthesiser begins with a reverb that GM2, GS and XG messages cannot select, and
  /// with the soundfont's drum notes.
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
