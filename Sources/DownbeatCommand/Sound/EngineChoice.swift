// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FluidSynthInstruments

/// What plays a soundfont, by the word of `--engine`.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
  case fluidsynth
  case downbeat

  /// The engine.
  var engine: InstrumentConfiguration.Engine { self == .downbeat ? .downbeat : .fluidSynth }
}
