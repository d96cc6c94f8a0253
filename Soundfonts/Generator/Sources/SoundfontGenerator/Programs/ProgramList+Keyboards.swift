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
    let (everySoft, everyLoud) = (soft.atEveryVelocity, loud.atEveryVelocity)
    let dampers = Layer(voice("dampers") { $0.dampers() }, plain.softer(22))
    let softTines = voice("tines") { $0.electricPiano("Tines P", bark: 0.42, velocities: 0...75) }
    let tines = barkingPiano()
    let harpsichord = voice("harpsichord") { $0.harpsichord() }
    add(
      "Grand Piano",
      layers: soft.struckTwice(
        1, loud.answering(to: 0...67), plain.lowPass(8000).velocityDarkens(1300))
        + loud.struckTwice(
          1, soft.answering(to: 68...127), plain.lowPass(10000).velocityDarkens(3300)) + [dampers])
    add(
      "Bright Piano",
      layers: everyLoud.struckTwice(1, everySoft, plain.velocityDarkens(1300)) + [dampers])
    add(
      "Electric Grand",
      layers: everyLoud.struckTwice(1, everySoft, plain.effects(reverb: 12, chorus: 25))
        + [
          Layer(
            tines.atEveryVelocity.falling { key in 6.5 * PortableMath.exp2((key - 36) / 60) },
            plain.softer(9).lowPass(5000))
        ])
    add("Honky-tonk", layers: everyLoud.struckTwice(8, everySoft, plain.velocityDarkens(1800)))
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
        plain.lowPass(3800, resonance: 6).release(0.12).velocityDarkens(1500).decay(12.5)
          .with(.keyToVolumeDecay, 35)
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
    let rotor = plain.wobble(rate: 0.9, decibels: 1.3, pitch: 5)
    add("Drawbar Organ", Layer(jazz, rotor))
    add("Percussive Organ", Layer(jazz, rotor.lowPass(4500)), Layer(percussion, plain.softer(1)))
    add(
      "Rock Organ",
      Layer(
        rock,
        plain.wobble(rate: 6.4, decibels: 4, filter: 400, pitch: 9).lowPass(7500)
          .effects(reverb: 14, chorus: 20)))
    add("Church Organ", Layer(church))
    add("Reed Organ", Layer(reed, plain.lowPass(2600).attack(0.06).effects(reverb: 20)))
    add("Accordion", layers: reed.pair(cents: 8, plain))
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

extension Voice {
  /// The strings of a piano's note: they fall fast together, and a part of them slowly, a little apart
  /// in pitch, so that their sum beats as it rings on.
  ///
  /// The fast fall is that of a board moved up and down, the slow one of a board moved sideways; both
  /// are slower in the bass. What rings on loses its brightness as it goes, and is another stroke's
  /// sound: two of one, a little apart, are a comb that sweeps through the partials.
  fileprivate func struckTwice(_ cents: Int, _ after: Voice, _ settings: Settings) -> [Layer] {
    // The shortest strings, which have no dampers either, are soon over.
    let top = { (key: Double) in PortableMath.exp2(max(key - 84, 0) / 12) }
    let fading = settings.sweep(decay: 14, sustain: 1, release: 0.4, filter: 900)
    let prompt = falling { key in 7.4 * PortableMath.exp2((key - 36) / 54) * top(key) }
    let late = after.falling { key in
      4.9 * PortableMath.exp2(max(key - 36, 0) / 64) * top(key)
    }
    return [
      Layer(prompt, fading.pan(-0.08)),
      Layer(late, fading.tuned(cents: cents).pan(0.3).evenSofter(6.5)),
    ]
  }
}
