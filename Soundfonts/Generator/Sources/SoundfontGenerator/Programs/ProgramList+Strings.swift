// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  mutating func addGuitars() {
    let nylon = voice("nylon") { $0.nylonGuitar() }
    let steel = voice("steel") { $0.steelGuitar() }
    let electric = voice("electric") { $0.electricGuitar() }
    let distorted = voice("distorted") { $0.distortedGuitar() }
    add(
      "Nylon Guitar",
      Layer(voice("soft nylon") { $0.nylonGuitar(softly: true) }.answering(to: 0...74)),
      Layer(nylon.answering(to: 75...127)))
    add(
      "Steel Guitar",
      Layer(voice("soft steel") { $0.steelGuitar(softly: true) }.answering(to: 0...74)),
      Layer(steel.answering(to: 75...127)))
    add(
      "Jazz Guitar",
      Layer(
        electric, plain.lowPass(1700).velocityDarkens(1200).decay(13).with(.keyToVolumeDecay, 35)))
    add("Clean Guitar", Layer(electric, plain.effects(reverb: 16, chorus: 35)))
    add(
      "Muted Guitar",
      Layer(
        electric,
        plain.decay(6).with(.keyToVolumeDecay, 60).release(0.1).lowPass(3200).velocityDarkens(1800))
    )
    add("Overdriven Guitar", Layer(distorted, plain.lowPass(3000).decay(110).velocityDarkens(1600)))
    add("Distortion Guitar", Layer(distorted))
    add(
      "Guitar Harmonics",
      Layer(electric.transposed(12), plain.decay(45).lowPass(5200).attack(0.006)),
      Layer(voice("sine") { $0.sine() }.transposed(12), plain.decay(45).softer(4).release(0.4)))
  }

  mutating func addBasses() {
    let acoustic = voice("acoustic bass") { $0.acousticBass() }
    let finger = voice("finger bass") { $0.fingerBass() }
    let slap = voice("slap bass") { $0.slapBass() }
    let saw = voice("saw") { $0.saw() }
    let square = voice("square") { $0.square() }
    add("Acoustic Bass", Layer(acoustic))
    add("Finger Bass", Layer(finger))
    add("Pick Bass", Layer(slap, plain.lowPass(4200).decay(22).velocityDarkens(1800)))
    add(
      "Fretless Bass",
      Layer(
        finger,
        plain.lowPass(1300, resonance: 3).attack(0.02).vibrato(8, rate: 4.8, after: 0.5)
          .sweep(decay: 0.12, pitch: -45).decay(20).with(.keyToVolumeDecay, 35)))
    add("Slap Bass 1", Layer(slap))
    add(
      "Slap Bass 2",
      Layer(slap, plain.lowPass(4200, resonance: 6).sweep(decay: 0.4, filter: 1600).decay(17)))
    add(
      "Synth Bass 1",
      Layer(
        saw,
        plain.lowPass(600, resonance: 6).sweep(decay: 0.7, filter: 2700).decay(5).with(
          .volumeSustain, 280
        )
        .velocityDarkens(700).release(0.12)),
      Layer(
        square.transposed(-12),
        plain.lowPass(500).softer(3).decay(5).with(.volumeSustain, 280).release(0.12)))
    add(
      "Synth Bass 2",
      Layer(
        voice("pulse") { $0.pulse() },
        plain.lowPass(700, resonance: 4).sweep(decay: 0.35, filter: 1500).decay(20)
          .velocityDarkens(700).release(0.12)),
      Layer(voice("sine") { $0.sine() }, plain.softer(2).decay(20).release(0.12)))
  }

  mutating func addStrings() {
    let violin = voice("violin") { $0.violin() }
    let cello = voice("cello") { $0.cello() }
    let strings = voice("strings") { $0.strings() }
    add("Violin", Layer(violin))
    add("Viola", Layer(cello, plain.lowPass(5200).vibrato(12, rate: 5.3, after: 0.35)))
    add("Cello", Layer(cello, plain.lowPass(4200)))
    add(
      "Contrabass",
      Layer(cello, plain.lowPass(1500).attack(0.08).vibrato(7, rate: 4.7, after: 0.5)))
    let trembling = plain.wobble(rate: 11, decibels: 4).attack(0.05)
    add(
      "Tremolo Strings", Layer(strings, trembling.pan(-0.35)),
      Layer(
        strings.begun(later: 0.45, in: bank),
        trembling.wobble(rate: 12.3, decibels: 4).pan(0.35)))
    add("Pizzicato Strings", Layer(voice("pizzicato") { $0.pizzicato() }))
    add("Harp", Layer(voice("harp") { $0.harp() }))
    add("Timpani", Layer(voice("timpani") { $0.timpani() }))
  }

  /// A pair of one ensemble, left and right: the same players at another moment.
  ///
  /// Each half has a vibrato of its own. They are not tuned apart, for two that are empty each
  /// other.
  private func wide(_ voice: Voice, _ settings: Settings, cents: Int = 3) -> (Layer, Layer) {
    (
      Layer(
        voice,
        settings.pan(-0.6).vibrato(cents, rate: 5.1, after: 0.3)
          .wobble(rate: 0.43, decibels: 0.8, filter: 100)),
      Layer(
        voice.begun(later: 0.45, in: bank),
        settings.pan(0.6).vibrato(cents, rate: 5.9, after: 0.2)
          .wobble(rate: 0.31, decibels: 0.8, filter: 100))
    )
  }

  mutating func addEnsembles() {
    let strings = voice("strings") { $0.strings() }
    let pad = voice("pad") { $0.pad() }
    let saw = voice("saw") { $0.saw() }
    let ah = choirAh()
    let ooh = choirOoh()
    var pair = wide(strings, plain.attack(0.19))
    add("Strings", pair.0, pair.1)
    pair = wide(strings, plain.attack(0.35).release(1.1).lowPass(4500).velocityDarkens(1100))
    add("Slow Strings", pair.0, pair.1)
    add(
      "Synth Strings 1", Layer(pad, plain.attack(0.12).release(0.7).pan(-0.2)),
      Layer(
        saw,
        plain.attack(0.1).release(0.7).lowPass(3500).softer(11).pan(0.3).effects(
          reverb: 30, chorus: 40)))
    add("Synth Strings 2", Layer(pad, plain.attack(0.25).release(1.2).lowPass(1900)))
    pair = wide(ah, plain, cents: 4)
    add("Choir Aahs", pair.0, pair.1)
    add("Voice Oohs", Layer(ooh, plain.attack(0.03).vibrato(6, rate: 5.0, after: 0.5)))
    add(
      "Synth Voice", Layer(ooh, plain.attack(0.15)),
      Layer(
        voice("pulse") { $0.pulse() },
        plain.attack(0.12).release(0.5).lowPass(1100, resonance: 4).softer(7)
          .vibrato(8, rate: 5, after: 0.3).effects(reverb: 30, chorus: 30)))
    let hit = plain.decay(2.8).attack(0.002).release(0.4).effects(reverb: 40)
    add(
      "Orchestra Hit", Layer(strings, hit), Layer(strings.transposed(12), hit.softer(3)),
      Layer(voice("trumpet") { $0.trumpet() }, hit.softer(2)),
      Layer(voice("trombone") { $0.trombone() }.transposed(-12), hit.softer(2)),
      Layer(voice("timpani") { $0.timpani() }.transposed(-12), hit.softer(1)))
  }

  mutating func choirAh() -> Voice {
    voice("ah") {
      $0.choir(
        "Choir Ah", roots: [42, 52, 62, 73], rate: 18000, formants: SampleBank.ahFormants)
    }
  }

  mutating func choirOoh() -> Voice {
    voice("ooh") {
      $0.choir("Choir Ooh", roots: [45, 57, 69, 80], rate: 13000, formants: SampleBank.oohFormants)
    }
  }
}
