// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing
internal import ClipPlayback
internal import Downbeat
internal import MusicSequences
internal import MusicalTime

/// The flags that `play` and `render` share: what makes the sound.
struct SoundOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The soundfont; without it the best one installed. Given more than once, the first that"
        + " has a program plays it. FILE,bank=N adds N to its banks, FILE,gain=-3dB levels it.",
      valueName: "file"), completion: .fonts,
    transform: { try FontChoice(parsing: $0) })
  var soundfont: [FontChoice] = []

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Sample rate in Hz, 8000…96000, such as 44.1k.")
  var rate = RateChoice.standard

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Louder or softer than a song's own level, near −16 LUFS: decibels (-6dB) or a factor"
        + " (0.5); 0dB changes nothing."),
    transform: { try Gain(parsing: $0) })
  var gain: Gain?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The gain of the mix, whatever the song, in place of the one that brings it near −16 LUFS.",
      valueName: "gain"),
    transform: { try Gain(parsing: $0) })
  var absoluteGain: Gain?

  @Flag(inversion: .prefixedNo, help: "FluidSynth's reverberation.")
  var reverb = true

  @Flag(inversion: .prefixedNo, help: "FluidSynth's chorus.")
  var chorus = true

  @Option(parsing: .unconditional, help: "The most voices that sound at once, 16…4096.")
  var polyphony = 512

  @Option(
    help: ArgumentHelp(
      "A kit of clips: its notes start sound files (downbeat help sound).", valueName: "kit.json"),
    completion: .file(extensions: ["json"]))
  var clips: String?

  @Option(
    name: .customLong("graph"),
    help: ArgumentHelp(
      "Effects that the sound goes through before the limiter: a saved graph with one inlet.",
      valueName: "effects.json"), completion: .file(extensions: ["json"]))
  var graph: String?

  @Option(
    name: .customLong("effect"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An effect that the sound goes through before the limiter, such as 'delay time=1/8. mix=20%';"
        + " given more than once, one after another (downbeat effects). lv2:NAME is a plug-in, whose"
        + " presets are set by preset='NAME' (downbeat lv2).", valueName: "effect"),
    completion: .effects)
  var effects: [String] = []

  @OptionGroup(title: "Instruments and effects of tracks") var chains: ChainOptions

  /// Whether the sound of all goes through effects.
  var hasEffects: Bool { graph != nil || !effects.isEmpty }

  func validate() throws {
    try rate.check("--rate", in: 8_000...96_000)
    guard graph == nil || effects.isEmpty else {
      throw ValidationError("--effect: --graph names the effects already (leave one out)")
    }
    // Plug-ins are looked for where the command runs.
    let known = effects.filter { !PluginShelf.isPlugin($0) }
    do { _ = try EffectCatalogue.standard.chain(known, rate: rate.rate) } catch {
      throw ValidationError("--effect: \(error)")
    }
    guard chains.instrument == nil || soundfont.isEmpty else {
      throw ValidationError(
        "--instrument plays in place of the soundfont: leave --soundfont out"
          + " (--on TRACK=… gives it some tracks)")
    }
    guard gain == nil || absoluteGain == nil else {
      throw ValidationError("--gain is relative to a song's own level: leave --absolute-gain out")
    }
    guard (16...4096).contains(polyphony) else {
      throw ValidationError("--polyphony \(polyphony): 16…4096 voices")
    }
  }

  /// What a song is brought to, in LUFS.
  static let loudness = -16.0

  /// The settings, whatever the song.
  func settings() throws -> SessionSettings {
    var settings = SessionSettings(
      soundFont: "", rate: rate.rate, gain: (absoluteGain ?? gain)?.factor ?? 1,
      hasReverb: reverb, hasChorus: chorus, polyphony: polyphony)
    settings.soundFonts = chains.instrument == nil ? try choices() : []
    settings.readsAllPresets = false
    settings.effects = try savedGraph(rate: rate.rate)
    return settings
  }

  /// The effects, as a graph.
  func savedGraph(rate: SampleRate) throws -> SavedGraph? {
    if let graph { return try EffectsFile(graph).graph(rate: rate) }
    return try chain(rate: rate)
  }

  /// The effects that texts ask for; nil for none.
  private func chain(
    rate: SampleRate, tempo: Tempo = .standard
  ) throws(Failure) -> SavedGraph? {
    guard !effects.isEmpty else { return nil }
    return try PluginShelf.standard.chain(effects, of: "--effect", rate: rate, tempo: tempo)
  }

  /// The effects of settings, with note values as long as a song's first tempo says.
  func effects(
    of settings: SessionSettings, for song: MusicSequence?
  ) throws -> SavedGraph? {
    guard !effects.isEmpty, let song else { return settings.effects }
    return try chain(rate: settings.rate, tempo: song.tempoMap.tempo(at: .zero))
  }

  /// The gain at which a song is rendered to be measured: 1, or with effects, which may depend on how
  /// loud it is, that at which it is played.
  func measuringGain(_ settings: SessionSettings, for sequence: MusicSequence) throws -> Float {
    settings.effects == nil ? 1 : try self.settings(settings, for: [sequence]).gain
  }

  /// The settings for a song of one or several sequences, with the gain that an estimate gives it.
  func settings(
    _ settings: SessionSettings, for sequences: [MusicSequence]
  ) throws -> SessionSettings {
    var settings = settings
    settings.effects = try effects(of: settings, for: sequences.first)
    guard absoluteGain == nil, !settings.soundFonts.isEmpty else { return settings }
    let levels = try SoundFontLevels(for: sequences, settings: settings)
    let estimate = try LoudnessEstimate(sequences, levels: levels)
    settings.gain = estimate.gain(to: Self.loudness) * (gain?.factor ?? 1)
    return settings
  }

  /// The same settings for a device that has a rate of its own, and for a song.
  func settings(
    _ settings: SessionSettings, at rate: SampleRate, for song: MusicSequence? = nil
  ) throws -> SessionSettings {
    guard rate != settings.rate else { return settings }
    var settings = settings
    settings.rate = rate
    settings.effects = try savedGraph(rate: rate)
    settings.effects = try effects(of: settings, for: song)
    return settings
  }

  /// The pads of the kit of clips, at a device's rate or the one that was asked for.
  func pads(at rate: SampleRate? = nil) throws -> [ClipKit.Pad] {
    guard let clips else { return [] }
    return try KitFile(clips).pads(rate: rate ?? self.rate.rate)
  }

  private func choices() throws -> [SessionSettings.FontChoice] {
    guard soundfont.isEmpty else {
      return try soundfont.map { font in
        var choice = font.choice
        choice.path = try SoundFontCommand.path(of: choice.path)
        return choice
      }
    }
    return [SessionSettings.FontChoice(path: try SoundFontCommand.path(nil))]
  }
}
