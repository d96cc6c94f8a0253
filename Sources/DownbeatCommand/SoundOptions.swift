// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClipPlayback
internal import Downbeat
internal import Glibc
internal import MusicalTime

/// The flags that `play` and `render` share: what makes the sound.
struct SoundOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "The soundfont; without it the best one installed.")
  var soundfont: String?

  @Option(name: [.short, .long], help: "Sample rate in Hz, 8000…96000.")
  var rate = 48_000

  @Option(
    name: [.short, .long], help: "Gain: a factor (0.5) or decibels (-6dB).",
    transform: { try Gain(parsing: $0) })
  var gain = Gain(factor: 1)

  @Flag(inversion: .prefixedNo, help: "FluidSynth's reverberation.")
  var reverb = true

  @Flag(inversion: .prefixedNo, help: "FluidSynth's chorus.")
  var chorus = true

  @Option(help: "The most voices that sound at once, 16…4096.")
  var polyphony = 512

  @Option(help: "A kit of clips: notes start sound files (downbeat help sound).")
  var clips: String?

  func validate() throws {
    guard (8_000...96_000).contains(rate) else {
      throw ValidationError("--rate \(rate): a sample rate is 8000…96000 Hz (try 48000)")
    }
    guard (16...4096).contains(polyphony) else {
      throw ValidationError("--polyphony \(polyphony): 16…4096 voices")
    }
  }

  /// The settings for a session.
  func settings() throws -> SessionSettings {
    guard let rate = SampleRate(hertz: rate) else { throw ExitStatus.usage }
    return SessionSettings(
      soundFont: try soundFontPath(), rate: rate, gain: gain.factor, hasReverb: reverb,
      hasChorus: chorus, polyphony: polyphony)
  }

  /// The pads of the kit of clips.
  func pads() throws -> [ClipKit.Pad] {
    guard let clips, let rate = SampleRate(hertz: rate) else { return [] }
    return try KitFile(clips).pads(rate: rate)
  }

  private func soundFontPath() throws -> String {
    if let soundfont { return soundfont }
    let discovery = SoundFontDiscovery(
      environment: Environment.variables, executable: Environment.executable,
      isFile: { path in unsafe access(path, R_OK) == 0 })
    guard let path = discovery.find() else {
      throw Failure(
        .noSoundFont,
        "no soundfont found: name one with --soundfont FILE, or apt install timgm6mb-soundfont")
    }
    return path
  }
}
