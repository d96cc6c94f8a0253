// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  mutating func addEthnic() {
    let steel = voice("steel") { $0.steelGuitar() }
    let harp = voice("harp") { $0.harp() }
    let reed = voice("reed") { $0.reed() }
    add("Sitar", Layer(voice("sitar") { $0.sitar() }))
    add(
      "Banjo",
      Layer(steel, plain.decay(8.7).with(.keyToVolumeDecay, 25).release(0.25).velocityDarkens(700)))
    add(
      "Shamisen",
      Layer(
        steel,
        plain.decay(4.4).release(0.2).lowPass(6500, resonance: 4)
          .sweep(decay: 0.12, pitch: 40)),
      Layer(voice("skin") { $0.skin() }, plain.softer(16).decay(0.4)))
    add(
      "Koto", Layer(harp, plain.softer(4).decay(5).sweep(decay: 0.2, pitch: 25).release(0.8)),
      Layer(steel, plain.softer(1).decay(4).release(0.8)))
    add("Kalimba", Layer(voice("tongue") { $0.tongue() }, plain.lowPass(3000).decay(3)))
    add(
      "Bagpipe", Layer(reed, plain.attack(0.05).tuned(cents: 4).lowPass(9000)),
      Layer(voice("oboe") { $0.oboe() }, plain.attack(0.05).softer(5).tuned(cents: -5)))
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
          .vibrato(14, rate: 5.6, after: 0.2).lowPass(8000, resonance: 3)),
      Layer(voice("pulse") { $0.pulse() }, plain.softer(9).lowPass(5000)))
  }

  mutating func addPercussive() {
    let skin = voice("skin") { $0.skin() }
    add(
      "Tinkle Bell",
      Layer(voice("glockenspiel") { $0.glockenspiel() }.transposed(12), plain.lowPass(2600)))
    add("Agogo", Layer(bank.agogoBells()))
    add("Steel Drums", Layer(voice("steel drum") { $0.steelDrum() }))
    add("Woodblock", Layer(bank.woodBlocks()))
    add(
      "Taiko",
      Layer(skin.transposed(-12), plain.lowPass(4000).decay(3.2).sweep(decay: 0.2, pitch: 300)))
    add("Melodic Tom", Layer(skin))
    add(
      "Synth Drum",
      Layer(
        voice("sine") { $0.sine() },
        plain.attack(0.001).decay(2).release(1.2)
          .sweep(decay: 0.45, pitch: 1900)),
      Layer(
        voice("noise") { $0.noise() },
        plain.lowPass(4000).decay(0.4).softer(12).release(0.5)))
    add("Reverse Cymbal", Layer(bank.reverseCymbal()))
  }

  mutating func addSoundEffects() {
    let noise = voice("noise") { $0.noise() }
    add("Fret Noise", Layer(bank.fretNoise()))
    add("Breath Noise", Layer(noise, plain.lowPass(5200, resonance: 3).attack(0.06).decay(14)))
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
          .sweep(decay: 0.4, filter: 3400).effects(reverb: 50)),
      Layer(voice("skin") { $0.skin() }.transposed(-12), plain.softer(2)))
  }
}

/// Variations as the Roland GS standard numbers them. A song that asks for one that is not here
/// gets the program of bank 0.
extension ProgramList {
  mutating func addVariations() {
    let tines = voice("tines") { $0.electricPiano("Tines P", bark: 0.42, velocities: 0...75) }
      .atEveryVelocity
    let harpsichord = voice("harpsichord") { $0.harpsichord() }
    let drawbars = voice("drawbars") {
      $0.drawbars("Drawbars", [8, 6, 8, 6, 3, 4, 0, 2, 3])
    }
    let reed = voice("reed") { $0.reed() }
    let nylon = voice("nylon") { $0.nylonGuitar() }
    let steel = voice("steel") { $0.steelGuitar() }
    let electric = voice("electric") { $0.electricGuitar() }
    let strings = voice("strings") { $0.strings() }
    let saw = voice("saw") { $0.saw() }
    let chorused = plain.effects(reverb: 14, chorus: 45)
    vary(8, 4, "Detuned Tines", by: 4, tines.pair(cents: 6, chorused))
    vary(8, 5, "Detuned FM", by: 4, tines.transposed(12).pair(cents: 5, chorused))
    vary(
      8, 6, "Coupled Harpsichord", by: 4,
      [Layer(harpsichord), Layer(harpsichord.transposed(12), plain.softer(3))])
    vary(8, 14, "Church Bell", by: 3, [Layer(voice("bell") { $0.tubularBell() }.transposed(-12))])
    vary(8, 16, "Detuned Organ", by: 4, drawbars.pair(cents: 7, chorused))
    vary(
      8, 19, "Full Church Organ", by: 4,
      [
        Layer(voice("church") { $0.churchOrgan() }),
        Layer(reed.transposed(-12), plain.lowPass(2400).softer(5).effects(reverb: 40)),
      ])
    vary(8, 21, "Italian Accordion", by: 6, reed.pair(cents: 13, plain))
    vary(8, 24, "Ukulele", by: 1, [Layer(nylon, plain.decay(4).release(0.2).lowPass(4200))])
    vary(
      8, 25, "Twelve-string Guitar", by: 4,
      steel.pair(cents: 5, plain) + [Layer(steel.transposed(12), plain.softer(6))])
    vary(
      16, 25, "Mandolin", by: 4, steel.transposed(12).pair(cents: 4, plain.decay(3).release(0.2)))
    vary(
      8, 26, "Hawaiian Guitar", by: 1,
      [
        Layer(electric, plain.lowPass(3000).vibrato(12, rate: 4.6, after: 0.3).attack(0.012))
      ])
    vary(8, 27, "Chorus Guitar", by: 4, electric.pair(cents: 7, chorused))
    vary(
      8, 28, "Funk Guitar", by: 2,
      [Layer(electric, plain.decay(4).release(0.08).lowPass(6000).velocityDarkens(2400))])
    vary(
      8, 38, "Resonant Bass", by: 1,
      [
        Layer(
          saw,
          plain.lowPass(400, resonance: 12).sweep(decay: 0.4, filter: 3400).decay(14)
            .release(0.1))
      ])
    vary(
      8, 48, "Orchestra", by: 5,
      strings.pair(cents: 3, plain) + [Layer(voice("horn") { $0.horn() }, plain.softer(5))])
    vary(
      8, 50, "Synth Strings 3", by: 5,
      saw.pair(
        cents: 9,
        plain.attack(0.2).release(0.6)
          .lowPass(3000).effects(reverb: 30, chorus: 40)))
    vary(
      8, 61, "Brass 2", by: 5,
      voice("trombone") { $0.trombone() }.pair(cents: 6, plain)
        + [Layer(voice("trumpet") { $0.trumpet() }, plain.softer(3))])
    vary(
      8, 80, "Sine Lead", by: 1,
      [
        Layer(voice("sine") { $0.sine() }, plain.vibrato(8, rate: 5.4, after: 0.4))
      ])
    vary(8, 107, "Taisho Koto", by: 3, steel.pair(cents: 6, plain.decay(5).release(0.5)))
    vary(
      8, 117, "Dry Tom", by: 1,
      [
        Layer(voice("skin") { $0.skin() }, plain.decay(1).effects(reverb: 2))
      ])
  }
}
