// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  mutating func addLeads() {
    let saw = voice("saw") { $0.saw() }
    let square = voice("square") { $0.square() }
    let sine = voice("sine") { $0.sine() }
    let pulse = voice("pulse") { $0.pulse() }
    let noise = voice("noise") { $0.noise() }
    let lead = plain.vibrato(9, rate: 5.6, after: 0.5).velocityDarkens(1500)
      .effects(reverb: 16, chorus: 10)
    add("Square Lead", layers: square.pair(cents: 4, lead.lowPass(10000)))
    add("Saw Lead", layers: saw.pair(cents: 5, lead.lowPass(8000)))
    add(
      "Calliope", Layer(voice("pipe") { $0.pipe() }, lead),
      Layer(noise, plain.softer(30).lowPass(3000)))
    add(
      "Chiff Lead",
      layers: pulse.pair(cents: 3, lead.lowPass(3500).sweep(decay: 0.25, filter: 1800))
        + [Layer(noise, plain.decay(0.5).softer(6).lowPass(6000))])
    add(
      "Charang", Layer(voice("distorted") { $0.distortedGuitar() }, lead.softer(1)),
      Layer(saw, lead.lowPass(5000).softer(5)))
    add(
      "Voice Lead",
      Layer(
        choirAh(),
        lead.attack(0.03).release(0.3)), Layer(sine, lead.softer(6).attack(0.03)))
    add(
      "Fifths Lead",
      layers: saw.pair(cents: 4, lead.lowPass(6000))
        + [Layer(saw.transposed(7), lead.lowPass(6000).softer(2))])
    add(
      "Bass and Lead", Layer(saw, lead.lowPass(3500, resonance: 4).sweep(decay: 0.8, filter: 1500)),
      Layer(square.transposed(-12), lead.lowPass(1800).softer(2)))
  }

  mutating func addPads() {
    let pad = voice("pad") { $0.pad() }
    let glass = voice("glass") { $0.glass() }
    let saw = voice("saw") { $0.saw() }
    let ooh = choirOoh()
    let ah = choirAh()
    let bell = voice("bell") { $0.tubularBell() }
    let slow = plain.attack(0.5).release(1.4).effects(reverb: 40, chorus: 25)
    add(
      "New Age Pad", Layer(pad, slow.softer(3).lowPass(2600)),
      Layer(voice("celesta") { $0.celesta() }, plain.softer(3).effects(reverb: 40, chorus: 25)))
    add(
      "Warm Pad", Layer(pad, slow.lowPass(1500).pan(-0.35)),
      Layer(pad.begun(later: 0.45, in: bank), slow.lowPass(1500).pan(0.35)))
    let poly = plain.lowPass(2200, resonance: 3).sweep(decay: 1.1, sustain: 0.6, filter: 2200)
      .release(0.5).effects(reverb: 24, chorus: 30).velocityDarkens(1000).attack(0.01)
    add("Polysynth", layers: saw.pair(cents: 8, poly))
    add(
      "Choir Pad", Layer(ooh, slow.attack(0.02)),
      Layer(pad, slow.attack(0.05).softer(12).lowPass(2200)))
    add("Bowed Glass", Layer(glass, slow.attack(0.09)))
    add(
      "Metallic Pad", Layer(bell, slow.attack(0.45).softer(2)),
      Layer(pad, slow.softer(4).wobble(rate: 0.4, filter: 500).lowPass(3000, resonance: 5)))
    add(
      "Halo Pad", Layer(ah, slow.pan(-0.3).attack(0.4)),
      Layer(glass.transposed(12), slow.softer(5).pan(0.3)))
    add(
      "Sweep Pad",
      Layer(
        pad,
        slow.lowPass(500, resonance: 9).sweep(
          attack: 2.2, decay: 4, sustain: 0.5,
          release: 2, filter: 3600)))
  }

  mutating func addSynthEffects() {
    let pad = voice("pad") { $0.pad() }
    let glass = voice("glass") { $0.glass() }
    let saw = voice("saw") { $0.saw() }
    let sine = voice("sine") { $0.sine() }
    let tongue = voice("tongue") { $0.tongue() }
    let wet = plain.effects(reverb: 45, chorus: 25)
    add(
      "Rain", Layer(tongue, wet.release(2).softer(1)),
      Layer(tongue.transposed(12), wet.with(.volumeDelay, -3300).softer(8).pan(0.4)),
      Layer(glass, wet.softer(7).attack(0.3).release(2)))
    add(
      "Soundtrack", Layer(pad, wet.attack(0.25).release(2).lowPass(2400)),
      Layer(glass.transposed(7), wet.attack(0.4).release(2).softer(4)))
    add(
      "Crystal", Layer(voice("glockenspiel") { $0.glockenspiel() }, wet.release(2)),
      Layer(glass, wet.attack(0.02).decay(12).softer(4).release(1)))
    add(
      "Atmosphere", Layer(voice("nylon") { $0.nylonGuitar() }, wet.release(1)),
      Layer(pad, wet.attack(0.6).release(1.6).softer(5).lowPass(2200)))
    add(
      "Brightness",
      layers: saw.pair(cents: 4, wet.lowPass(9000).decay(14).release(0.6).softer(3))
        + [Layer(voice("celesta") { $0.celesta() }.transposed(12), wet.softer(3))])
    add(
      "Goblins",
      Layer(
        pad,
        wet.attack(0.8).release(2).lowPass(1400, resonance: 8)
          .wobble(rate: 3.1, filter: 900, pitch: 12)),
      Layer(sine.transposed(12), wet.wobble(rate: 5, pitch: 60).attack(0.5).softer(9).release(1)))
    let echo = plain.lowPass(2200).decay(8).release(0.6).effects(reverb: 30, chorus: 20)
    let pulse = voice("pulse") { $0.pulse() }
    add(
      "Echoes", Layer(pulse, echo.tuned(cents: 4)),
      Layer(pulse, echo.with(.volumeDelay, -2300).softer(6).pan(-0.5).tuned(cents: -4)),
      Layer(pulse, echo.with(.volumeDelay, -1100).softer(15).pan(0.5)))
    add(
      "Sci-Fi",
      Layer(
        saw,
        wet.lowPass(1200, resonance: 12).wobble(rate: 5.5, filter: 1800)
          .attack(0.15).release(1.2)),
      Layer(glass, wet.softer(8).wobble(rate: 5.5, pitch: 20)))
  }
}
