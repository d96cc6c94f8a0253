// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  mutating func addBrass() {
    let trumpet = voice("trumpet") { $0.trumpet() }
    let trombone = voice("trombone") { $0.trombone() }
    let horn = voice("horn") { $0.horn() }
    let saw = voice("saw") { $0.saw() }
    add("Trumpet", Layer(trumpet))
    add("Trombone", Layer(trombone))
    add("Tuba", Layer(horn, plain.lowPass(1100).velocityDarkens(1200).attack(0.025)))
    add("Muted Trumpet", Layer(voice("muted") { $0.mutedTrumpet() }))
    add("French Horn", Layer(horn))
    add(
      "Brass Section",
      Layer(trumpet, plain.vibrato(6, rate: 5.3, after: 0.4).pan(-0.25).lowPass(5500)),
      Layer(trombone, plain.vibrato(5, rate: 4.6, after: 0.5).pan(0.4).softer(8.5)),
      Layer(horn, plain.softer(9)))
    let swell = plain.lowPass(900, resonance: 3).release(0.25)
      .effects(reverb: 18, chorus: 20).velocityDarkens(1200)
    add(
      "Synth Brass 1",
      layers: saw.pair(
        cents: 7, swell.sweep(attack: 0.07, decay: 0.9, sustain: 0.45, filter: 3000)))
    add(
      "Synth Brass 2",
      Layer(
        saw,
        swell.attack(0.06).sweep(attack: 0.2, decay: 1.5, sustain: 0.3, filter: 2200)
          .tuned(cents: 5)),
      Layer(voice("square") { $0.square() }, swell.attack(0.06).lowPass(1500).softer(7)))
  }

  mutating func addReeds() {
    let sax = voice("saxophone") { $0.saxophone() }
    let oboe = voice("oboe") { $0.oboe() }
    add("Soprano Sax", Layer(sax, plain.lowPass(9000).vibrato(9, rate: 5.4, after: 0.3)))
    add("Alto Sax", Layer(sax, plain.lowPass(5600)))
    add("Tenor Sax", Layer(sax, plain.lowPass(3900).vibrato(9, rate: 4.9, after: 0.35)))
    add("Baritone Sax", Layer(sax, plain.lowPass(4400).vibrato(6, rate: 4.7, after: 0.4)))
    add("Oboe", Layer(oboe, plain.lowPass(5200)))
    add("English Horn", Layer(oboe, plain.lowPass(2300).attack(0.03)))
    add("Bassoon", Layer(voice("bassoon") { $0.bassoon() }))
    add("Clarinet", Layer(voice("clarinet") { $0.clarinet() }))
  }

  mutating func addPipes() {
    let flute = voice("flute") { $0.flute() }
    let pipe = voice("pipe") { $0.pipe() }
    let noise = voice("noise") { $0.noise() }
    let sine = voice("sine") { $0.sine() }
    add("Piccolo", Layer(flute, plain.attack(0.02).vibrato(6, rate: 5.8, after: 0.3)))
    add("Flute", Layer(flute, plain.lowPass(6000).attack(0.12)))
    add("Recorder", Layer(pipe, plain.vibrato(3, rate: 4.8, after: 0.6)))
    let breath = plain.lowPass(2200, resonance: 2)
    add(
      "Pan Flute", Layer(flute, plain.sweep(decay: 0.08, pitch: -30)),
      Layer(noise, breath.decay(2.2).softer(11).attack(0.005)))
    add(
      "Blown Bottle", Layer(pipe, plain.lowPass(2400).attack(0.07)),
      Layer(noise, breath.lowPass(1800).softer(13).attack(0.03)))
    add(
      "Shakuhachi",
      Layer(
        flute,
        plain.attack(0.08).vibrato(22, rate: 4.6, after: 0.6).wobble(
          rate: 4.6, after: 0.6, decibels: 2
        )
        .sweep(decay: 0.14, pitch: -70)),
      Layer(noise, breath.lowPass(2600).softer(23).attack(0.02)))
    add(
      "Whistle", Layer(sine, plain.player(14, rate: 5.8, after: 0.25, decibels: 2).attack(0.04)),
      Layer(
        noise,
        breath.lowPass(2400).softer(34).wobble(rate: 4.47, after: 0.175, decibels: 3)))
    add("Ocarina", Layer(pipe, plain.lowPass(1600).vibrato(5, rate: 4.9, after: 0.4)))
  }
}
