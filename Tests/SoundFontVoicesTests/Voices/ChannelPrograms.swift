// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

@testable import SoundFontVoices

/// The presets of sixteen channels by the rules of GS, as a sound module sets them in a
/// synthesiser.
struct ChannelPrograms {
  private var choices = (0..<16).map { ProgramChoice(isDrums: $0 == 9) }

  /// Handles a bank select or a program change; returns false for another message.
  mutating func take(_ message: Message, _ synth: inout VoiceSynth) -> Bool {
    let channel = Int(message.status & 0x0F)
    switch (message.status & 0xF0, message.data1) {
    case (0xB0, 0): choices[channel].receive(upper: message.data2)
    case (0xB0, 32): choices[channel].receive(lower: message.data2)
    case (0xC0, let program):
      choices[channel].select(program, in: .gs)
      let presets = (0..<ProgramChoice.candidateCount).map { choices[channel].candidate($0) }
      let preset =
        presets.first { synth.hasPreset(bank: $0.bank, program: $0.program) } ?? presets[0]
      synth.choose(
        channel, bank: preset.bank, program: preset.program, isDrums: choices[channel].isDrums)
    default: return false
    }
    return true
  }
}
