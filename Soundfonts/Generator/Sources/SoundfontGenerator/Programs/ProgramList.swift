// SPDX-License-Identifier: Apache-2.0

/// The programs of the font as they are made, in the order of General MIDI.
struct ProgramList {
  let bank: SampleBank
  private(set) var presets: [Preset] = []
  private var voices: [String: Voice] = [:]

  init(_ bank: SampleBank) { self.bank = bank }

  /// Adds the next program.
  mutating func add(_ name: String, _ layers: Layer...) { add(name, layers: layers) }

  mutating func add(_ name: String, layers: [Layer]) {
    let trim = Self.trims[presets.count] ?? 0
    presets.append(
      Preset(name: name, bank: 0, program: presets.count, layers: layers.map { $0.softer(trim) }))
  }

  /// Adds a variation, softer by as many decibels so that it is as loud as its program.
  mutating func vary(
    _ number: Int, _ program: Int, _ name: String, by trim: Double, _ layers: [Layer]
  ) {
    presets.append(
      Preset(name: name, bank: number, program: program, layers: layers.map { $0.softer(trim) }))
  }

  mutating func addDrumKits() {
    let standard = DrumKit.standard(bank)
    let timpani = voice("timpani") { $0.timpani() }
    for (program, name, kit, reverb) in [
      (0, "Standard Kit", standard, 12.0), (8, "Room Kit", standard.inRoom(), 32),
      (16, "Power Kit", standard.atFullPower(), 22),
      (24, "Electronic Kit", standard.electronic(), 10),
      (25, "Analog Kit", standard.analog(), 6), (32, "Jazz Kit", standard.jazz(), 16),
      (40, "Brush Kit", standard.brushed(), 16),
      (48, "Orchestra Kit", standard.orchestral(timpani: timpani), 36),
    ] {
      presets.append(
        Preset(
          name: name, bank: 128, program: program,
          layers: [Layer(kit.voice(name, reverb: reverb))]))
    }
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
