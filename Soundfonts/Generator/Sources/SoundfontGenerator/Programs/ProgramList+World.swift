// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  mutating func addEthnic() {
    let steel = voice("steel") { $0.steelGuitar() }
    let harp = voice("harp") { $0.harp() }
    let reed = voice("reed") { $0.reed() }
    add("Sitar", Layer(voice("sitar") { $0.sitar() }))
    add("Banjo", Layer(steel, plain.decay(3.2).release(0.25).velocityDarkens(700)))
    add(
      "Shamisen",
      Layer(
        steel,
        plain.decay(2.3).release(0.2).lowPass(6500, resonance: 4)
          .sweep(decay: 0.12, pitch: 40)),
      Layer(voice("skin") { $0.skin() }, plain.softer(16).decay(0.4)))
    add(
      "Koto", Layer(harp, plain.decay(6).sweep(decay: 0.2, pitch: 25).release(0.8)),
      Layer(steel, plain.softer(5).decay(4).release(0.8)))
    add("Kalimba", Layer(voice("tongue") { $0.tongue() }, plain.lowPass(3000).decay(2.4)))
    add(
      "Bagpipe", Layer(reed, plain.attack(0.05).tuned(cents: 4).lowPass(9000)),
      Layer(voice("oboe") { $0.oboe() }, plain.attack(0.05).softer(2).tuned(cents: -5)))
    add(
      "Fiddle",
      Layer(
        voice("violin") { $0.violin() },
        plain.attack(0.015).vibrato(8, rate: 5.8, after: 0.25)
          .velocityDarkens(700).effects(reverb: 12)))
    add(
      "Shanai",
      Layer(
        voice("oboe") { $0.oboe() },
        plain.attack(0.01).sweep(decay: 0.1, pitch: -60)
          .vibrato(14, rate: 5.6, after: 0.2).lowPass(12000, resonance: 3)),
      Layer(voice("pulse") { $0.pulse() }, plain.softer(9).lowPass(5000)))
  }

  mutating func addPercussive() {
    let skin = voice("skin") { $0.skin() }
    add("Tinkle Bell", Layer(voice("glockenspiel") { $0.glockenspiel() }.transposed(12)))
    add("Agogo", Layer(bank.agogoBells()))
    add("Steel Drums", Layer(voice("steel drum") { $0.steelDrum() }))
    add("Woodblock", Layer(bank.woodBlocks()))
    add(
      "Taiko",
      Layer(skin.transposed(-12), plain.lowPass(4000).decay(2.6).sweep(decay: 0.2, pitch: 300)))
    add("Melodic Tom", Layer(skin))
    add(
      "Synth Drum",
      Layer(
        voice("sine") { $0.sine() },
        plain.attack(0.001).decay(3.4).release(1.5)
          .sweep(decay: 0.45, pitch: 1900)),
      Layer(voice("noise") { $0.noise() }, plain.decay(0.5).softer(5).release(0.5)))
    add("Reverse Cymbal", Layer(bank.reverseCymbal()))
  }

  mutating func addSoundEffects() {
    let noise = voice("noise") { $0.noise() }
    add("Fret Noise", Layer(bank.fretNoise()))
    add("Breath Noise", Layer(noise, plain.lowPass(6500, resonance: 3).attack(0.06).decay(14)))
    add(
      "Seashore",
      Layer(
        noise,
        plain.lowPass(1600).attack(0.9).release(2)
          .wobble(rate: 0.18, decibels: 7, filter: 1500).pan(-0.2)),
      Layer(
        noise,
        plain.lowPass(1100).attack(1.2).release(2)
          .wobble(rate: 0.13, decibels: 6, filter: 1200).pan(0.2)))
    add("Bird Tweet", Layer(bank.bird()))
    add("Telephone", Layer(bank.telephone()))
    add(
      "Helicopter",
      Layer(
        noise,
        plain.lowPass(1500, resonance: 6).pan(-0.3).attack(0.5).release(1.2)
          .wobble(rate: 11, decibels: 5, filter: 1200)),
      Layer(
        noise,
        plain.lowPass(1100, resonance: 6).pan(0.3).attack(0.5).release(1.2)
          .wobble(rate: 11, decibels: 8, filter: 900)))
    add("Applause", Layer(bank.applause()))
    add(
      "Gunshot",
      Layer(
        noise,
        plain.lowPass(700).attack(0.001).decay(1.3).release(1.3)
          .sweep(decay: 0.5, filter: 5200).effects(reverb: 50)),
      Layer(voice("skin") { $0.skin() }.transposed(-12), plain.softer(2)))
  }
}
