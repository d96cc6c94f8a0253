// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime
internal import SoundFontVoices

/// Determines which notes soundfonts can play, without making sound or reading samples.
///
/// The rehearsal receives the messages of one port, and applies the rules of Downbeat's own voices.
public final class FontRehearsal {
  /// The reason that a note would be silent.
  public enum Silence: String, Hashable, Sendable {
    /// The soundfonts have neither the preset nor a replacement for it.
    case preset
    /// The preset has sounds, but not for this key.
    case key
    /// The preset has sounds for this key, but not for this velocity.
    case velocity
  }

  private let bank: FontBank
  private var module: SoundModule

  /// Creates a rehearsal in which all channels are in the state after a reset.
  ///
  /// - Parameters:
  ///   - bank: the presets of the soundfonts.
  ///   - mode: the bank mode.
  /// - Throws: `InstrumentError` if there is too little memory.
  public init(_ bank: FontBank, _ mode: BankMode = .auto) throws(InstrumentError) {
    self.bank = bank
    var configuration = InstrumentConfiguration(rate: .hertz48000)
    configuration.bankMode = mode
    configuration.ownPresets = bank.ownPresets
    configuration.hasEffects = false
    configuration.polyphony = 1
    configuration.dryBuses = .mixed
    module = SoundModule(
      .downbeat(try DownbeatSynth(bank.patches, configuration)), configuration)
  }

  /// Receives a channel message.
  ///
  /// Only bank select and program change have an effect.
  public func take(_ message: Message) {
    switch (message.status & 0xF0, message.data1) {
    case (0xB0, 0), (0xB0, 32), (0xC0, _): module.apply(message)
    default: break
    }
  }

  /// Receives a SysEx message.
  ///
  /// The bytes do not include F0 and F7.
  public func take(sysEx bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe module.applySysEx(base, count: $0.count)
    }
  }

  /// Returns the preset that a channel has selected; bank 128 is for drum kits.
  public func preset(on channel: Channel) -> (bank: Int, program: Int) {
    unsafe module.channels[Int(channel.index)].choice.candidate(0)
  }

  /// Returns the preset that a channel has selected if the soundfonts do not have it; otherwise
  /// nil.
  public func missingPreset(on channel: Channel) -> MissingPreset? {
    module.missingPreset(on: channel)
  }

  /// Returns the reason that a note would be silent.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - velocity: the velocity, 1…127.
  ///   - channel: the channel.
  /// - Returns: the reason, or nil if the note would sound.
  public func silence(of key: Key, velocity: UInt8, on channel: Channel) -> Silence? {
    let state = unsafe module.channels[Int(channel.index)]
    guard let place = state.candidate else { return .preset }
    let (number, program) = state.choice.candidate(place)
    let patch = bank.patches.patch(bank: number, program: program)
    guard patch >= 0 else { return .preset }
    if bank.patches.hasVoice(in: patch, key: key.number, velocity: velocity) { return nil }
    return bank.patches.hasVoice(in: patch, key: key.number, velocity: nil) ? .velocity : .key
  }
}
