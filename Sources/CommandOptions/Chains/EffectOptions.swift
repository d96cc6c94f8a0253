// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioProcessing
internal import CommandKit
package import Downbeat
internal import LV2Units
package import MusicalTime

/// The options for the effects on the mix.
package struct EffectOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Apply a saved graph of effects with one inlet (downbeat graph --save). For a song, the graph"
        + " can also contain instruments and effects for tracks.", valueName: "effects.json"),
    completion: .file(extensions: ["json"]))
  package var graph: String?

  @Option(
    name: .customLong("effect"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Add an effect, such as 'reverb mix=0.3'; repeatable, applied in order (downbeat effects)."
        + " lv2:NAME is a plug-in; preset='NAME' selects its preset (downbeat lv2).",
      valueName: "effect"),
    completion: .effects)
  package var texts: [String] = []

  /// True without effects.
  package var isEmpty: Bool { graph == nil && texts.isEmpty }

  /// Checks the options as far as possible without looking for plug-ins.
  package func check(rate: SampleRate) throws {
    guard graph == nil || texts.isEmpty else {
      throw ValidationError("--effect: --graph already names the effects (leave one out)")
    }
    // Plug-ins are looked for when the command runs.
    let known = texts.filter { !PluginShelf.isPlugin($0) }
    do { _ = try EffectCatalogue.standard.chain(known, rate: rate) } catch {
      throw ValidationError("--effect: \(error)")
    }
  }

  /// Reads the file of `--graph`, once; nil without one.
  ///
  /// - Throws: `Failure` if it cannot be read, or its units do not fit together.
  package func file(rate: SampleRate) throws -> SavedChains? {
    try graph.map { try EffectsFile($0).chains(rate: rate) }
  }

  /// The effects of `--effect`; nil for none.
  func chain(rate: SampleRate, tempo: Tempo = .standard) throws(Failure) -> SavedGraph? {
    guard !texts.isEmpty else { return nil }
    return try PluginShelf.standard.chain(texts, of: "--effect", rate: rate, tempo: tempo)
  }

  /// The effects for a sound without tracks; nil for none.
  ///
  /// - Throws: `Failure` if an effect does not exist, or the file of `--graph` contains instruments
  ///   or tracks.
  package func effects(rate: SampleRate, _ reason: String) throws -> SoundEffects? {
    let file = try file(rate: rate)
    guard file?.areOfTheWhole != false else {
      throw FlagText("--graph", graph ?? "")
        .failure("contains instruments or tracks: \(reason)")
    }
    guard let effects = try file?.effects ?? chain(rate: rate) else { return nil }
    return SoundEffects(
      graph: effects, registry: try PluginShelf.standard.registry(for: effects.units, isLive: true),
      rate: rate)
  }
}
