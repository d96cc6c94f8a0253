// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import FluidSynthInstruments

/// What plays a soundfont, by the word of `--engine`.
package enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
  case fluidsynth
  case downbeat

  /// The engine.
  package var engine: InstrumentConfiguration.Engine { self == .downbeat ? .downbeat : .fluidSynth }
}
