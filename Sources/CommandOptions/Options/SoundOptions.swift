// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import AudioProcessing
package import ClipPlayback
internal import CommandKit
package import Downbeat
package import MusicSequences
package import MusicalTime
package import PlayerControl
internal import SoundFontInstruments
internal import SystemPackages

/// The options that `play` and `render` share, for soundfonts, level and effects.
package struct SoundOptions: ParsableArguments {
  package init() {}

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Soundfont file or name; default: the best one installed. Repeatable: each program is played"
        + " by the first font that has it. FILE,bank=N adds N to its bank numbers (except those of"
        + " drum kits); FILE,gain=-3dB sets its gain.",
      valueName: "file"), completion: .fonts,
    transform: { try FontChoice(parsing: $0) })
  package var soundfont: [FontChoice] = []

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Play the bank in an RMID file, above the soundfonts. Default: unless --soundfont is given."))
  package var embeddedBank: Bool?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Sample rate in Hz, 8000…96000, such as 44.1k.")
  package var rate = RateChoice.standard

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Gain relative to the song's normal level of about −16 LUFS: decibels (-6dB, -6) or a factor"
        + " (50%); 0dB changes nothing."),
    transform: { try Gain(typed: $0, for: "--gain ") })
  package var gain: Gain?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fixed gain for every song: a factor (0.5, 50%) or decibels (-6dB). This turns off"
        + " automatic loudness.",
      valueName: "gain"),
    transform: { try Gain(parsing: $0, bareNumber: .factor) })
  package var absoluteGain: Gain?

  @Flag(inversion: .prefixedNo, help: "Use FluidSynth's reverb.")
  package var reverb = true

  @Flag(inversion: .prefixedNo, help: "Use FluidSynth's chorus.")
  package var chorus = true

  @Option(
    help: ArgumentHelp(
      "Soundfont engine: downbeat follows the SoundFont specification; fluidsynth is the installed"
        + " library, which is slower and varies by version.",
      valueName: "engine"))
  package var engine = EngineChoice.downbeat

  @OptionGroup package var banks: BankModeOption

  @Option(parsing: .unconditional, help: "Maximum number of voices, 16…16384.")
  var polyphony = 512

  @Option(
    help: ArgumentHelp(
      "Play sound files for notes, as defined by a kit (downbeat help sound).",
      valueName: "kit.json"),
    completion: .file(extensions: ["json"]))
  package var clips: String?

  @OptionGroup package var effects: EffectOptions

  @OptionGroup(title: "Track instruments and effects") package var chains: ChainOptions

  package func validate() throws {
    try rate.check("--rate", in: 8_000...96_000)
    try effects.check(rate: rate.rate)
    guard chains.instrument == nil || soundfont.isEmpty else {
      throw ValidationError(
        "--instrument replaces the soundfont (leave --soundfont out, or use --on TRACK=… for some"
          + " tracks)")
    }
    guard gain == nil || absoluteGain == nil else {
      throw ValidationError("--gain and --absolute-gain exclude each other (leave one out)")
    }
    guard (16...16_384).contains(polyphony) else {
      throw ValidationError("--polyphony \(polyphony): must be 16…16384 voices")
    }
  }

  /// The normal loudness of a song, in LUFS.
  package static let loudness = -16.0

  /// The settings that are the same for all songs.
  ///
  /// - Parameter allowsNone: True if songs may contain all their sounds, so that no soundfont has
  ///   to be installed.
  /// - Returns: The settings.
  /// - Throws: `Failure` if the soundfont, an effect or a plug-in does not exist.
  package func settings(allowingNoFont allowsNone: Bool = false) throws -> SessionSettings {
    var settings = SessionSettings(
      soundFont: "", rate: rate.rate, gain: (absoluteGain ?? gain)?.factor ?? 1,
      hasReverb: reverb, hasChorus: chorus, polyphony: polyphony)
    let file = try effects.file(rate: rate.rate)
    if file?.instrument != nil { try checkSoundfont("--graph: its instrument") }
    let isPlayed = chains.instrument != nil || file?.instrument != nil
    settings.soundFonts = isPlayed ? [] : try choices(allowingNone: allowsNone)
    settings.readsAllPresets = false
    settings.engine = engine.engine
    settings.bankMode = banks.bankMode
    if !isPlayed { tellOfMissingEffects() }
    settings.effects = try file?.effects ?? effects.chain(rate: rate.rate)
    return settings
  }

  /// Reports the engine of the soundfonts, with `--verbose`.
  package func tellEngine(of settings: SessionSettings, isVerbose: Bool) {
    guard isVerbose, settings.hasFonts else { return }
    if let bank = settings.embeddedBank {
      Terminal.report(
        "\(bank.font.path): plays the bank in the file:"
          + " \(bank.presetCount.counted("preset")), bank offset \(bank.bankOffset)")
    }
    let library = SoundFont.libraryVersion.map { "FluidSynth \($0)" }
    let name =
      switch engine {
      case .fluidsynth: library ?? "FluidSynth"
      case .downbeat: "Downbeat's own engine"
      }
    let effects = engine == .downbeat && (reverb || chorus) ? library : nil
    Terminal.report(
      "played by \(name), up to \(polyphony.counted("voice"))"
        + (effects.map { "; reverb and chorus by \($0)" } ?? ""))
  }

  /// Reports why reverb and chorus are missing; they need FluidSynth.
  private func tellOfMissingEffects() {
    guard engine == .downbeat, reverb || chorus,
      let fault = SoundFont.effectsFault(at: rate.rate)
    else { return }
    var remedy = ""
    if case .libraryMissing = fault {
      remedy = " (\(SystemPackage.fluidsynth.installation()))"
    }
    Terminal.report("\(fault.cause): playing without reverb and chorus\(remedy)")
  }

  /// Throws if `--soundfont` is used together with an instrument that replaces it.
  private func checkSoundfont(_ what: String) throws(Failure) {
    guard soundfont.isEmpty else {
      throw Failure(
        .usage,
        "\(what) replaces the soundfont (leave --soundfont out, or use --on TRACK=… for some"
          + " tracks)", options: ["--soundfont", "--on"])
    }
  }

  /// The instruments, effects and sends of a song, from the options or the file of `--graph`.
  ///
  /// - Parameters:
  ///   - rate: The sample rate.
  ///   - song: The song; nil while it is not known.
  /// - Returns: The chains.
  /// - Throws: `Failure` if a plug-in, an effect or a track does not exist.
  package func savedChains(rate: SampleRate, for song: MusicSequence?) throws -> SavedChains {
    let file = try effects.file(rate: rate)
    if let file, !file.areOfTheWhole {
      guard chains.isEmpty else {
        throw Failure(
          .usage,
          "--instrument, --on, --bus: \(effects.graph ?? "") already names instruments or tracks"
            + " (leave one out)")
      }
      return file
    }
    var saved = try chains.saved(rate: rate, for: song)
    saved.effects = try file?.effects ?? effects.chain(rate: rate, tempo: Self.tempo(of: song))
    return saved
  }

  /// The option that names tracks, for messages: `--on`, or `--graph` with its file.
  package var tracksSource: String {
    chains.isEmpty ? "--graph \(effects.graph ?? ""): tracks" : "--on"
  }

  /// The same option, with the tracks that it names.
  func source(ofTracks tracks: String) -> FlagText {
    chains.isEmpty
      ? FlagText("--graph", effects.graph ?? "", part: "tracks \(tracks)")
      : FlagText("--on", tracks)
  }

  /// True if options or the file of `--graph` add instruments or effects to tracks.
  package func hasChains() throws -> Bool {
    try !chains.isEmpty || effects.file(rate: rate.rate)?.areOfTheWhole == false
  }

  private static func tempo(of song: MusicSequence?) throws -> Tempo {
    try song?.tempoMap.tempo(at: .zero) ?? .standard
  }

  /// The effects of settings, with note values computed from a song's first tempo.
  package func effects(
    of settings: SessionSettings, for song: MusicSequence?
  ) throws -> SavedGraph? {
    guard !effects.texts.isEmpty, let song else { return settings.effects }
    return try effects.chain(rate: settings.rate, tempo: Self.tempo(of: song))
  }

  /// The gain at which a song is rendered for measuring: 1, or with effects, which may depend on
  /// the level, the gain at which it is played.
  package func measuringGain(_ settings: SessionSettings, for sequence: MusicSequence) throws
    -> Float
  {
    settings.effects == nil ? 1 : try self.settings(settings, for: [sequence]).gain
  }

  /// The settings for a song with one or more sequences, with the estimated gain.
  package func settings(
    _ settings: SessionSettings, for sequences: [MusicSequence]
  ) throws -> SessionSettings {
    var settings = settings
    settings.effects = try effects(of: settings, for: sequences.first)
    guard absoluteGain == nil, settings.hasFonts else { return settings }
    let levels = try SoundFontLevels(
      for: sequences, settings: settings, cache: LevelCache(environment: Environment.variables))
    let estimate = try LoudnessEstimate(sequences, levels: levels)
    settings.gain = estimate.gain(to: Self.loudness) * (gain?.factor ?? 1)
    return settings
  }

  /// The settings at the rate of a device, for a song.
  package func settings(
    _ settings: SessionSettings, at rate: SampleRate, for song: MusicSequence? = nil
  ) throws -> SessionSettings {
    guard rate != settings.rate else { return settings }
    var settings = settings
    settings.rate = rate
    settings.effects = try effects.file(rate: rate)?.effects ?? effects.chain(rate: rate)
    settings.effects = try effects(of: settings, for: song)
    return settings
  }

  /// The pads of `--clips`, at the rate of a device or at `--rate`.
  package func pads(at rate: SampleRate? = nil) throws -> [ClipKit.Pad] {
    guard let clips else { return [] }
    return try KitFile(clips).pads(rate: rate ?? self.rate.rate)
  }
}
