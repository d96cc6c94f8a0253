// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
internal import MusicalTime
package import SoundFontFiles
internal import SoundFontVoices

/// A sound module that records which notes play which preset, without sound and samples.
///
/// The module receives every message that an instrument receives. Banks, fallbacks, parts, drum
/// kits, key shifts, velocity sense and mono parts are therefore those of a rendering. A note is
/// recorded even if a held voice would have continued in its place.
///
/// - Note: For one port; one thread at a time.
package final class StrikeRehearsal {
  /// A preset that notes select but soundfonts do not have, and the preset that plays them.
  package struct Substitution: Hashable, Sendable {
    /// The bank that was selected; 128 is the drums.
    package let bank: Int
    /// The program that was selected, 0…127.
    package let program: Int
    /// The bank of the preset that plays, as it is numbered by the layers.
    package let playedBank: Int
    /// The program of the preset that plays, 0…127.
    package let playedProgram: Int
  }

  /// The presets that notes selected but soundfonts do not have.
  package private(set) var substitutions: Set<Substitution> = []

  /// The banks and programs that notes selected, for which soundfonts do not have a substitute
  /// either.
  package private(set) var silences: Set<[Int]> = []
  /// True if the song switched the module to MT-32 mode.
  package private(set) var wasMT32 = false

  private let patches: PatchBank
  private var module: SoundModule

  /// Starts a rehearsal, with all channels as after a reset.
  ///
  /// - Parameters:
  ///   - bank: the presets of the soundfonts.
  ///   - mode: the bank mode.
  /// - Throws: `InstrumentError` if memory is short.
  package init(_ bank: FontBank, _ mode: BankMode = .auto) throws(InstrumentError) {
    patches = bank.patches
    var configuration = InstrumentConfiguration(rate: .hertz48000)
    configuration.bankMode = mode
    configuration.hasEffects = false
    configuration.polyphony = 1
    configuration.dryBuses = .mixed
    configuration.ownPresets = bank.ownPresets
    let synth = try DownbeatSynth(bank.patches, configuration)
    guard synth.recordStrikes() else {
      throw .noRoom(reason: "not enough memory to record \(bank.patches.patchCount) presets")
    }
    module = SoundModule(.downbeat(synth), configuration)
  }

  /// Receives a channel message.
  package func take(_ message: Message) {
    guard message.status < 0xF0 else { return }
    if message.status & 0xF0 == 0x90, message.data2 > 0 { noteSubstitutions(message.status & 0x0F) }
    module.apply(message)
  }

  /// Receives a SysEx message, given without its F0 and F7.
  package func take(sysEx bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe module.applySysEx(base, count: $0.count)
    }
    wasMT32 = wasMT32 || module.isMT32
  }

  /// The notes of each preset that was played, in order of the layers' bank and program numbers.
  ///
  /// - Complexity: O(n) in the number of presets of the soundfonts.
  package var struck: [(bank: Int, program: Int, notes: NoteSet)] {
    (0..<patches.patchCount).compactMap { patch in
      guard let notes = module.synth.struckNotes(of: patch) else { return nil }
      let (bank, program) = patches.preset(of: patch)
      return (bank, program, notes)
    }
  }

  /// Records the presets that play for a channel, or for the parts that receive it.
  private func noteSubstitutions(_ channel: UInt8) {
    for part in 0..<SoundModule.channelCount where module.isRouted || part == Int(channel) {
      let state = unsafe module.channels[part]
      let asked = state.choice.candidate(0)
      guard let place = state.candidate else {
        silences.insert([asked.bank, asked.program])
        continue
      }
      let played = state.choice.candidate(place)
      guard asked != played else { continue }
      substitutions.insert(
        Substitution(
          bank: asked.bank, program: asked.program, playedBank: played.bank,
          playedProgram: played.program))
    }
  }
}
