// SPDX-License-Identifier: Apache-2.0

/// A note that is held by bow, breath or bellows.
struct Held {
  var rate = 32000.0
  var lead = 0.12
  var loop = 0.16
  /// The time constant with which the fundamental speaks, and how much later each higher partial does.
  var onset = 0.02
  var later = 0.0
  /// A part of the sound that is there at the start only, as a factor on the partials.
  var bite = 0.0
  /// How far the whole sound swells and sinks in the loop, and how far the higher partials do beside
  /// it, in decibels.
  var swell = 0.5
  var drift = 1.0
  /// How far the pitch drifts, in cents.
  var sway = 1.5
  /// Noise that goes on: level, centre, quality.
  var breath = 0.0
  var breathTone = 2000.0
  var breathWidth = 0.7
  /// Noise about each of the first partials, as wide as a breath makes them.
  var rasp = 0.0
  /// Noise at the start: level and its fall in decibels per second.
  var chiff = 0.0
  var chiffTone = 2500.0
  var chiffFall = 300.0
}

extension SampleBank {
  /// One player: harmonic partials by `spectrum` (number, hertz), which swell, sink and drift, each a
  /// little by itself, and noise that swells and sinks with them.
  func held(
    _ frequency: Double, _ key: Int, _ held: Held, spectrum: (Double, Double) -> Double
  ) -> Sound {
    let rate = held.rate
    var sound = Sound(looping: frequency, rate: rate, lead: held.lead, loop: held.loop)
    var random = RandomSource(seed: 400 + key)
    let pressure = Wander(&random, period: sound.period, upTo: 9)
    let pitch = Wander(&random, period: sound.period, upTo: 7)
    let pressures = sound.atJoints { held.swell * pressure.at($0) }
    // A sway of some hertz about a mean of 4 is so many turns.
    let sway = held.sway / 1731 / (2 * PortableMath.pi * 4)
    let pitches = sound.atJoints { sway * pitch.at($0) }
    let (times, still) = (sound.atJoints { $0 }, Double(sound.loopStart) / rate)
    var k = 1.0
    var total = 0.0
    while k * frequency < min(0.44 * rate, 13000), k < 100 {
      let f = k * sound.fundamental
      let amplitude = spectrum(k, f)
      total += amplitude * amplitude
      let speak = held.onset * (1 + held.later * (k - 1))
      let own = Wander(&random, period: sound.period, upTo: 11)
      let depth = held.drift * (1 - 0.75 / k)
      let factors = times.indices.map { index in
        let t = min(times[index], still)
        let level = amplitude * rise(t, speak) * (1 + held.bite * fall(t, 140))
        let moved = PortableMath.gain(decibels: pressures[index] + depth * own.at(times[index]))
        return Turned(level * moved, turns: f * pitches[index])
      }
      sound.add(f, phase: random.uniform(), moving: factors)
      k += 1
    }
    let level = total.squareRoot()
    let follow = { (t: Double) in PortableMath.gain(decibels: 1.5 * held.swell * pressure.at(t)) }
    addNoise(of: held, level: level, to: &sound, &random, follow: follow, spectrum: spectrum)
    return sound
  }

  private func addNoise(
    of held: Held, level: Double, to sound: inout Sound, _ random: inout RandomSource,
    follow: (Double) -> Double, spectrum: (Double, Double) -> Double
  ) {
    let rate = held.rate
    if held.breath > 0 {
      let filters = [Biquad.bandPass(held.breathTone, q: held.breathWidth, rate: rate)]
      sound.addBreath(&random, filters: filters, follow: follow) { t in
        held.breath * level * rise(t, 0.01) * (1 + 1.5 * fall(t, 120))
      }
    }
    if held.breath > 0 {
      // The body and the room, below the note.
      let filters = [Biquad.bandPass(min(140, 0.6 * sound.fundamental), q: 0.5, rate: rate)]
      sound.addBreath(&random, filters: filters, follow: follow) { t in
        0.012 * level * rise(t, 0.01)
      }
    }
    if held.rasp > 0 {
      for k in [1.0, 2, 3, 4, 5] where k * sound.fundamental < 0.35 * rate {
        let f = k * sound.fundamental
        let width = 70 + 0.05 * f
        let filters = [
          Biquad.bandPass(f, q: f / width, rate: rate), .bandPass(f, q: f / width, rate: rate),
        ]
        // The narrower the band, the less of the noise is in it.
        let gain = held.rasp * spectrum(k, f) * (rate / width / 4).squareRoot()
        sound.addBreath(&random, filters: filters, follow: follow) { t in gain * rise(t, 0.02) }
      }
    }
    if held.chiff > 0 {
      let filters = [
        Biquad.bandPass(held.chiffTone, q: 0.8, rate: rate), Biquad.highPass(200, rate: rate),
      ]
      let end = held.lead
      sound.addBurst(&random, filters: filters) { t in
        held.chiff * level * fall(t, held.chiffFall) * rise(t, 0.003) * max(0, 1 - t / end)
      }
    }
  }

  /// Many players, each drifting about the pitch by some `width` cents.
  ///
  /// They are together enough at the fundamental that it never empties; the higher a partial, the
  /// less they are, so that it is a band in which none stands out.
  func ensemble(
    _ frequency: Double, _ key: Int, rate: Double, lead: Double, loop: Double, width: Double,
    onset: Double, top: Double = 12000, spectrum: (Double, Double) -> Double
  ) -> Sound {
    var sound = Sound(looping: frequency, rate: rate, lead: lead, loop: loop)
    var random = RandomSource(seed: 500 + key)
    let pace = 3.0
    let players = (0..<6).map { _ in
      let drift = Wander(&random, period: sound.period, upTo: 7)
      let bow = Wander(&random, period: sound.period, upTo: 6)
      return (
        place: random.bipolar(), drift: sound.atJoints { drift.at($0) },
        level: sound.atJoints { PortableMath.gain(decibels: 3.5 * bow.at($0)) }
      )
    }
    let (times, still) = (sound.atJoints { $0 }, Double(sound.loopStart) / rate)
    var (k, total) = (1.0, 0.0)
    while k * frequency < min(0.44 * rate, top), k < 110 {
      let f = k * sound.fundamental
      let drifting = f * width / 1731 / (2 * PortableMath.pi * pace)
      let apart = min(max(drifting, 0.06 * k.squareRoot()), 0.12 * k)
      let speak = onset * (0.7 + 0.6 * random.uniform())
      let places = players.map { player in
        player.place * min(0.5, 0.06 * (k - 1)) + random.bipolar() * min(0.5, 0.08 * (k - 1))
      }
      var factors = times.indices.map { index in
        var sum = Turned(0, turns: 0)
        for (place, player) in zip(places, players) {
          let one = Turned(player.level[index], turns: place + apart * player.drift[index])
          (sum.x, sum.y) = (sum.x + one.x, sum.y + one.y)
        }
        return sum
      }
      let power = factors.reduce(0) { $0 + $1.x * $1.x + $1.y * $1.y } / Double(factors.count)
      let wanted = spectrum(k, f)
      total += wanted * wanted
      let gain = wanted / power.squareRoot()
      for index in factors.indices {
        let level = gain * rise(min(times[index], still), speak)
        (factors[index].x, factors[index].y) = (level * factors[index].x, level * factors[index].y)
      }
      sound.add(f, phase: random.uniform(), moving: factors)
      k += 1
    }
    // What the room is full of where many bow or breathe: between the partials, and below them.
    for (filter, share) in [
      (Biquad.bandPass(1800, q: 0.35, rate: rate), 0.04),
      (Biquad.bandPass(130, q: 0.5, rate: rate), 0.03),
    ] {
      let level = share * total.squareRoot()
      sound.addBreath(&random, filters: [filter]) { t in level * rise(t, onset) }
    }
    return sound
  }

  // MARK: Bowed

  private static func stringBody(_ f: Double, size: Double) -> Double {
    let x = f * size
    var gain = 0.32
    for (centre, width, height) in [
      (275.0, 60.0, 0.9), (460, 90, 0.8), (560, 110, 0.8), (900, 350, 0.35), (1300, 500, 0.3),
      (2500, 1400, 0.75),
    ] { gain += height * resonance(x, at: centre, width: width) }
    return gain * rolloff(x, 4800, order: 1.6) * rollon(x, 180, order: 1)
  }

  func violin() -> Voice {
    let settings = Settings().volume(attack: 0.04, release: 0.35).effects(reverb: 20)
      .velocityDarkens(1300).velocitySlows(900)
      .player(13, rate: 5.6, after: 0.35)
    return voice("Violin", roots: [56, 64, 72, 80, 90], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 30000, lead: 0.13, loop: 0.4, onset: 0.03, later: 0.01, swell: 0.7, drift: 2.2,
          sway: 2.5, breath: 0.05,
          breathTone: 3000, chiff: 0.25, chiffTone: 2600, chiffFall: 160)
      ) { k, f in Self.stringBody(f, size: 1) / PortableMath.power(k, 0.85) }
      return (made, Settings())
    }
  }

  func cello() -> Voice {
    let settings = Settings().volume(attack: 0.05, release: 0.4).effects(reverb: 20)
      .velocityDarkens(1300).velocitySlows(900)
      .player(11, rate: 5.1, after: 0.4)
    return voice("Cello", roots: [31, 40, 49, 58, 67], settings: settings) { frequency, key in
      let size = key < 36 ? 3.4 : 2.6
      let made = held(
        frequency, key,
        Held(
          rate: 22000, lead: 0.13, loop: 0.4, onset: 0.035, later: 0.01, swell: 0.7, drift: 2.2,
          sway: 2.5,
          breath: 0.04, breathTone: 1800, chiff: 0.2, chiffTone: 1600, chiffFall: 140)
      ) { k, f in Self.stringBody(f, size: size) / PortableMath.power(k, 0.8) }
      return (made, Settings())
    }
  }

  func strings() -> Voice {
    let settings = Settings().volume(attack: 0.07, release: 0.6).effects(reverb: 26)
      .velocityDarkens(1100).velocitySlows(500)
    return voice(
      "Strings", roots: [36, 47, 58, 69, 81], over: 0.9, settings: settings
    ) { frequency, key in
      let low = key < 52
      let made = ensemble(
        frequency, key, rate: low ? 18000 : 26000, lead: 0.13, loop: 0.9, width: 18, onset: 0.05
      ) { k, f in
        Self.stringBody(f, size: low ? 2.2 : key < 62 ? 1.3 : 1) / PortableMath.power(k, 0.85)
      }
      return (made, Settings())
    }
  }

  // MARK: Voices

  private static func vowel(
    _ f: Double, _ formants: [(Double, Double, Double)], size: Double
  ) -> Double {
    var gain = 0.012
    for (centre, width, height) in formants {
      gain += height * resonance(f / size, at: centre, width: width)
    }
    return gain
  }

  /// A choir on a vowel; women above, men below.
  func choir(
    _ name: String, roots: [Int], rate: Double, formants: [(Double, Double, Double)]
  ) -> Voice {
    let settings = Settings().volume(attack: 0.09, release: 0.55).effects(reverb: 34)
      .velocityDarkens(900).velocitySlows(400)
    return voice(name, roots: roots, over: 0.9, settings: settings) { frequency, key in
      let size = key < 52 ? 0.96 : key < 60 ? 1.05 : 1.14
      let made = ensemble(
        frequency, key, rate: rate, lead: 0.14, loop: 0.6, width: 18, onset: 0.06, top: 7000
      ) { k, f in
        Self.vowel(f, formants, size: size) / PortableMath.power(k, 0.45)
          * rolloff(f, 3600, order: 1.5)
      }
      return (made, Settings())
    }
  }

  static let ahFormants = [
    (700.0, 130.0, 1.0), (1120, 150, 0.6), (2600, 260, 0.22), (3300, 300, 0.12),
    (300, 300, 0.16),
  ]
  static let oohFormants = [
    (330.0, 110.0, 1.0), (760, 140, 0.3), (2350, 300, 0.03), (3200, 300, 0.015),
  ]
}
