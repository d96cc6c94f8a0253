// SPDX-License-Identifier: Apache-2.0

extension ProgramList {
  private mutating func loudPiano() -> Voice {
    voice("loud piano") { $0.piano("Piano F", hardness: 0.95, velocities: 68...127) }
  }

  private mutating func barkingPiano() -> Voice {
    voice("bark") { $0.electricPiano("Tines F", bark: 1, velocities: 76...127) }
  }

  mutating func addPianos() {
    let soft = voice("soft piano") { $0.piano("Piano P", hardness: 0.35, velocities: 0...67) }
    let loud = loudPiano()
    let everyLoud = loud.atEveryVelocity
    let softTines = voice("tines") { $0.electricPiano("Tines P", bark: 0.42, velocities: 0...75) }
    let tines = barkingPiano()
    let harpsichord = voice("harpsichord") { $0.harpsichord() }
    add(
      "Grand Piano",
      Layer(soft, plain.lowPass(8000).velocityDarkens(1300)),
      Layer(loud, plain.lowPass(10000).velocityDarkens(3300)))
    add("Bright Piano", Layer(everyLoud, plain.velocityDarkens(1300)))
    add(
      "Electric Grand", Layer(everyLoud, plain.release(0.4).effects(reverb: 12, chorus: 25)),
      Layer(tines.atEveryVelocity, plain.softer(9).lowPass(5000)))
    add(
      "Honky-tonk", Layer(everyLoud, plain.tuned(cents: 9).pan(-0.3).velocityDarkens(1800)),
      Layer(everyLoud, plain.tuned(cents: -8).pan(0.3).velocityDarkens(1800)))
    let tremolo = plain.wobble(rate: 4.6, decibels: 1.6)
    add(
      "Tine Piano", Layer(softTines, tremolo),
      Layer(tines, tremolo.lowPass(4600).velocityDarkens(3000)))
    add(
      "FM Piano", Layer(tines.atEveryVelocity, plain.effects(reverb: 14, chorus: 30)),
      Layer(
        voice("celesta") { $0.celesta() }.transposed(12),
        plain.softer(10).velocityDarkens(2400)))
    add("Harpsichord", Layer(harpsichord))
    add(
      "Clavinet",
      Layer(
        harpsichord,
        plain.lowPass(3800, resonance: 6).release(0.12).velocityDarkens(1500).decay(6)
          .sweep(decay: 0.9, sustain: 1, filter: 1200)))
  }

  mutating func addMallets() {
    let celesta = voice("celesta") { $0.celesta() }
    add("Celesta", Layer(celesta))
    add("Glockenspiel", Layer(voice("glockenspiel") { $0.glockenspiel() }))
    add("Music Box", Layer(voice("tongue") { $0.tongue() }))
    add("Vibraphone", Layer(voice("vibraphone") { $0.vibraphone() }))
    add("Marimba", Layer(voice("marimba") { $0.marimba() }))
    add("Xylophone", Layer(voice("xylophone") { $0.xylophone() }))
    add("Tubular Bells", Layer(voice("bell") { $0.tubularBell() }))
    let steel = voice("steel") { $0.steelGuitar() }
    let hammered = plain.decay(5).release(1.2).velocityDarkens(800).effects(reverb: 20)
    add(
      "Dulcimer", Layer(steel, hammered.tuned(cents: 5).pan(-0.2)),
      Layer(steel, hammered.tuned(cents: -5).pan(0.2)))
  }

  mutating func addOrgans() {
    let jazz = voice("drawbars") { $0.drawbars("Drawbars", [8, 6, 8, 6, 3, 4, 0, 2, 3]) }
    let rock = voice("full drawbars") {
      $0.drawbars("Full Organ", [8, 8, 8, 7, 6, 6, 5, 6, 8], drive: 1.8)
    }
    let percussion = voice("percussion") { $0.organPercussion() }
    let church = voice("church") { $0.churchOrgan() }
    let reed = voice("reed") { $0.reed() }
    let rotor = plain.wobble(rate: 0.9, decibels: 0.7, pitch: 4)
    add("Drawbar Organ", Layer(jazz, rotor))
    add("Percussive Organ", Layer(jazz, rotor.lowPass(4500)), Layer(percussion, plain.softer(1)))
    add(
      "Rock Organ",
      Layer(
        rock,
        plain.wobble(rate: 6.4, decibels: 1.4, filter: 250, pitch: 9).lowPass(7500)
          .effects(reverb: 14, chorus: 20)))
    add("Church Organ", Layer(church))
    add("Reed Organ", Layer(reed, plain.lowPass(2600).attack(0.06).effects(reverb: 20)))
    add(
      "Accordion", Layer(reed, plain.tuned(cents: 8).pan(-0.25)),
      Layer(reed, plain.tuned(cents: -7).pan(0.25)))
    add(
      "Harmonica",
      Layer(
        reed,
        plain.lowPass(3600, resonance: 3).vibrato(10, rate: 5.6, after: 0.5)
          .wobble(rate: 5.6, after: 0.5, decibels: 1.5).velocityDarkens(1400)
          .sweep(decay: 0.09, pitch: -35)))
    add(
      "Bandoneon", Layer(reed, plain.lowPass(3800).tuned(cents: 2)),
      Layer(reed.transposed(12), plain.lowPass(5200).softer(5)))
  }
}
