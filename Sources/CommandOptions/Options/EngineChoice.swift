// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import SoundFontInstruments

/// The engine that plays SoundFonts, as `--engine` names it.
package enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
  case fluidsynth
  case downbeat

  /// The engine.
  package var engine: InstrumentConfiguration.Engine { self == .downbeat ? .downbeat : .fluidSynth }
}
