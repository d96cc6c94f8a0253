// SPDX-License-Identifier: Apache-2.0

/// The programs of the font as they are made, in the order of General MIDI.
struct ProgramList {
  let bank: SampleBank
  private(set) var presets: [Preset] = []
  private var voices: [String: Voice] = [:]

  init(_ bank: SampleBank) { self.bank = bank }

  /// Adds the next program.
  mutating func add(_ name: String, _ layers: Layer...) {
    let trim = Self.trims[presets.count] ?? 0
    presets.append(
      Preset(name: name, bank: 0, program: presets.count, layers: layers.map { $0.softer(trim) }))
  }

  mutating func addDrumKit() {
    presets.append(
      Preset(
        name: "Standard Kit", bank: 128, program: 0, layers: [Layer(DrumKit.voice(bank))]))
  }

  /// A voice made once and used by several programs.
  mutating func voice(_ name: String, _ make: (SampleBank) -> Voice) -> Voice {
    if let known = voices[name] { return known }
    let made = make(bank)
    voices[name] = made
    return made
  }
}

/// Settings to start from.
let plain = Settings()
