// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import SoundFontVoices

/// Soundfonts that several instruments can share.
///
/// If two fonts have a program, the first font plays it.
///
/// Downbeat's own voices read the soundfonts once for all instruments; FluidSynth reads them again
/// for each instrument.
public struct SharedFonts: Sendable {
  /// The fonts, in order of precedence.
  public let layers: [SoundFontLayer]
  /// The presets for Downbeat's own voices; nil for FluidSynth.
  private let bank: PatchBank?

  /// Reads soundfonts for instruments with one engine.
  ///
  /// - Parameters:
  ///   - layers: the fonts, in order of precedence.
  ///   - configuration: the engine, and the programs that all instruments together play.
  /// - Throws: `InstrumentError` if a font cannot be read.
  public init(
    _ layers: [SoundFontLayer], for configuration: InstrumentConfiguration
  ) throws(InstrumentError) {
    self.layers = layers
    bank =
      switch configuration.engine {
      case .fluidSynth: nil
      case .downbeat: try Self.bank(layers, configuration)
      }
  }

  /// The presets of the bank in a song's own file.
  var ownPresets: OwnPresets { layers.ownPresets }

  /// The gain of the loudest font, relative to which the others are attenuated.
  var loudest: Float { layers.map(\.gain).max() ?? 1 }

  /// Starts a synthesiser with the fonts.
  func synth(_ configuration: InstrumentConfiguration) throws(InstrumentError) -> Synth {
    switch configuration.engine {
    case .fluidSynth:
      var synth = try SynthHandle(configuration)
      try synth.load(layers, programs: configuration.programs)
      return .fluidSynth(synth)
    case .downbeat:
      if let bank { return .downbeat(try DownbeatSynth(bank, configuration)) }
      return .downbeat(try DownbeatSynth(Self.bank(layers, configuration), configuration))
    }
  }

  private static func bank(
    _ layers: [SoundFontLayer], _ configuration: InstrumentConfiguration
  ) throws(InstrumentError) -> PatchBank {
    do throws(SoundFontVoicesError) {
      let bank = try PatchBank(layers.map(\.patches), programs: configuration.programs)
      // The render thread cannot read samples, unlike with FluidSynth.
      if configuration.readsAllSamples || configuration.programs == nil {
        for patch in 0..<bank.patchCount { bank.load(patch) }
      }
      return bank
    } catch {
      throw InstrumentError(error)
    }
  }
}

extension InstrumentError {
  init(_ error: SoundFontVoicesError) {
    switch error {
    case .cannotOpen(let path, let code): self = .cannotOpen(path: path, code: code)
    case .notRegular(let path):
      self = .notSoundFont(path: path, reason: "it is not a regular file")
    case .changed(let path):
      self = .broken(path: path, reason: "it was replaced while it was read")
    case .tooLarge, .tooManyRegions, .tooManySamples, .tooDense, .noMemory:
      self = .noRoom(reason: "\(error)")
    }
  }
}
