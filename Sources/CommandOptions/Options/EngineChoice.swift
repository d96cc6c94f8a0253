// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import SoundFontInstruments

/// The value of `--engine`: the engine that plays soundfonts.
package enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
  case fluidsynth
  case downbeat

  /// The engine that the value names.
  package var engine: InstrumentConfiguration.Engine { self == .downbeat ? .downbeat : .fluidSynth }
}
