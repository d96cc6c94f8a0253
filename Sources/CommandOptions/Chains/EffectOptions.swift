// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioProcessing
internal import CommandKit
package import Downbeat
internal import LV2Units
package import MusicalTime

/// The flags that say what effects the sound of all goes through.
package struct EffectOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Effects that the sound goes through, as a saved graph with one inlet; of a song, what plays and"
        + " treats its tracks too (downbeat graph --save).", valueName: "effects.json"),
    completion: .file(extensions: ["json"]))
  package var graph: String?

  @Option(
    name: .customLong("effect"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An effect that the sound goes through, such as 'delay time=1/8. mix=20%'; given more than once,"
        + " one after another (downbeat effects). lv2:NAME is a plug-in, whose presets are set by"
        + " preset='NAME' (downbeat lv2).", valueName: "effect"),
    completion: .effects)
  package var texts: [String] = []

  /// Whether there are none.
  package var isEmpty: Bool { graph == nil && texts.isEmpty }

  /// Refuses what cannot be, as far as that is known before anything is looked for.
  package func check(rate: SampleRate) throws {
    guard graph == nil || texts.isEmpty else {
      throw ValidationError("--effect: --graph names the effects already (leave one out)")
    }
    // Plug-ins are looked for where the command runs.
    let known = texts.filter { !PluginShelf.isPlugin($0) }
    do { _ = try EffectCatalogue.standard.chain(known, rate: rate) } catch {
      throw ValidationError("--effect: \(error)")
    }
  }

  /// The file of `--graph`, read once.
  ///
  /// - Throws: `Failure` where it cannot be read, or its units do not go together.
  package func file(rate: SampleRate) throws -> SavedChains? {
    try graph.map { try EffectsFile($0).chains(rate: rate) }
  }

  /// The effects that texts ask for; nil for none.
  func chain(rate: SampleRate, tempo: Tempo = .standard) throws(Failure) -> SavedGraph? {
    guard !texts.isEmpty else { return nil }
    return try PluginShelf.standard.chain(texts, of: "--effect", rate: rate, tempo: tempo)
  }

  /// The effects for what has no tracks, with who makes their units; nil for none.
  ///
  /// - Throws: `Failure` where there are none such, or the file of `--graph` has instruments or tracks
  ///   in it.
  package func effects(rate: SampleRate, _ reason: String) throws -> SoundEffects? {
    let file = try file(rate: rate)
    guard file?.areOfTheWhole != false else {
      throw FlagText("--graph", graph ?? "")
        .failure("has instruments or tracks in it: \(reason)")
    }
    guard let effects = try file?.effects ?? chain(rate: rate) else { return nil }
    return SoundEffects(
      graph: effects, registry: try PluginShelf.standard.registry(for: effects.units, isLive: true),
      rate: rate)
  }
}
