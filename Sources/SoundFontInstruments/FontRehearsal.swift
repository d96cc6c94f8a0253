// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import MusicalTime
internal import SoundFontVoices

/// Soundfonts that are asked which notes they can play; nothing sounds, and no sample is read.
///
/// It answers for one port, by what Downbeat's own voices do.
public final class FontRehearsal {
  /// Why a note is silent.
  public enum Silence: String, Hashable, Sendable {
    /// No soundfont has the preset, or one that stands in.
    case preset
    /// The preset has no sound for the key.
    case key
    /// The preset has no sound for the velocity.
    case velocity
  }

  private let bank: FontBank
  private var module: SoundModule

  /// Starts a rehearsal with every channel as after a reset.
  ///
  /// - Parameters:
  ///   - bank: the presets of the soundfonts.
  ///   - mode: the bank mode.
  /// - Throws: `InstrumentError` if there is not enough memory.
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

  /// Takes in a channel message; only bank select and program change have an effect.
  public func take(_ message: Message) {
    switch (message.status & 0xF0, message.data1) {
    case (0xB0, 0), (0xB0, 32), (0xC0, _): module.apply(message)
    default: break
    }
  }

  /// Takes in a SysEx message without its F0 and F7.
  public func take(sysEx bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe module.applySysEx(base, count: $0.count)
    }
  }

  /// The preset that a channel has chosen, bank 128 for drum kits.
  public func preset(on channel: Channel) -> (bank: Int, program: Int) {
    unsafe module.channels[Int(channel.index)].choice.candidate(0)
  }

  /// The preset that a channel has chosen and no soundfont has; nil if one has it.
  public func missingPreset(on channel: Channel) -> MissingPreset? {
    module.missingPreset(on: channel)
  }

  /// Why a note would be silent; nil if it sounds.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - velocity: 1…127.
  ///   - channel: the channel.
  /// - Returns: the reason.
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
