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
  /// How much each partial wavers in the loop.
  var waver = 0.05
  /// Noise that goes on: level, centre, quality.
  var breath = 0.0
  var breathTone = 2000.0
  var breathWidth = 0.7
  /// Noise at the start: level and its fall in decibels per second.
  var chiff = 0.0
  var chiffTone = 2500.0
  var chiffFall = 300.0
}

extension SampleBank {
  /// One player: harmonic partials by `spectrum` (number, hertz), each wavering a little.
  func held(
    _ frequency: Double, _ key: Int, _ held: Held, spectrum: (Double, Double) -> Double
  ) -> Sound {
    let rate = held.rate
    var sound = Sound(looping: frequency, rate: rate, lead: held.lead, loop: held.loop)
    var random = RandomSource(seed: 400 + key)
    let grid = rate / Double(sound.loopLength)
    var k = 1.0
    var total = 0.0
    while k * frequency < min(0.44 * rate, 13000), k < 100 {
      let f = k * sound.fundamental
      let amplitude = spectrum(k, f)
      total += amplitude * amplitude
      let speak = held.onset * (1 + held.later * (k - 1))
      let envelope = { (t: Double) in
        amplitude * rise(t, speak) * (1 + held.bite * fall(t, 140))
      }
      sound.add(f, phase: random.uniform(), envelope: envelope)
      if held.waver > 0, f > 6 * grid {
        for side in [-2.0, -1, 1, 2] {
          let depth = held.waver * (0.4 + random.uniform()) / abs(side)
          sound.add(f + side * grid, phase: random.uniform()) { t in depth * envelope(t) }
        }
      }
      k += 1
    }
    let level = total.squareRoot()
    if held.breath > 0 {
      let filters = [Biquad.bandPass(held.breathTone, q: held.breathWidth, rate: rate)]
      sound.addBreath(&random, filters: filters) { t in
        held.breath * level * rise(t, 0.01) * (1 + 1.5 * fall(t, 120))
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
    return sound
  }

  /// Many players: each harmonic is a band of lines as wide as the players are apart.
  func ensemble(
    _ frequency: Double, _ key: Int, rate: Double, lead: Double, loop: Double, width: Double,
    onset: Double, top: Double = 12000, spectrum: (Double, Double) -> Double
  ) -> Sound {
    var sound = Sound(looping: frequency, rate: rate, lead: lead, loop: loop)
    var random = RandomSource(seed: 500 + key)
    let grid = rate / Double(sound.loopLength)
    var k = 1.0
    while k * frequency < min(0.44 * rate, top), k < 110 {
      let f = k * sound.fundamental
      let band = max(0.45 * grid, f * width / 1731)
      let reach = Int((2 * band / grid).rounded(.up))
      // As much below as above: the band's centre is the pitch.
      let side = (0...reach).map { line in
        let x = Double(line) * grid / band
        return PortableMath.exp(-x * x / 2) * (line == 0 ? 1 : 0.5 + random.uniform())
      }
      let weights = side.dropFirst().reversed() + side
      let energy = weights.reduce(0) { $0 + $1 * $1 }
      let amplitude = spectrum(k, f) / energy.squareRoot()
      let speak = onset * (0.7 + 0.6 * random.uniform())
      for (index, line) in (-reach...reach).enumerated() where weights[index] > 0.02 {
        let gain = amplitude * weights[index]
        sound.add(f + Double(line) * grid, phase: random.uniform()) { t in
          gain * rise(t, speak)
        }
      }
      k += 1
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
      .velocityDarkens(1300).vibrato(13, rate: 5.6, after: 0.35)
    return voice("Violin", roots: [56, 64, 72, 80, 90], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 30000, lead: 0.13, loop: 0.15, onset: 0.03, later: 0.01, waver: 0.09, breath: 0.05,
          breathTone: 3000, chiff: 0.25, chiffTone: 2600, chiffFall: 160)
      ) { k, f in Self.stringBody(f, size: 1) / PortableMath.power(k, 0.85) }
      return (made, Settings())
    }
  }

  func cello() -> Voice {
    let settings = Settings().volume(attack: 0.05, release: 0.4).effects(reverb: 20)
      .velocityDarkens(1300).vibrato(11, rate: 5.1, after: 0.4)
    return voice("Cello", roots: [31, 40, 49, 58, 67], settings: settings) { frequency, key in
      let size = key < 36 ? 3.4 : 2.6
      let made = held(
        frequency, key,
        Held(
          rate: 22000, lead: 0.13, loop: 0.16, onset: 0.035, later: 0.01, waver: 0.09,
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
        frequency, key, rate: low ? 18000 : 26000, lead: 0.13, loop: 0.58, width: 13, onset: 0.05
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
        frequency, key, rate: rate, lead: 0.14, loop: 0.6, width: 15, onset: 0.06, top: 7000
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
