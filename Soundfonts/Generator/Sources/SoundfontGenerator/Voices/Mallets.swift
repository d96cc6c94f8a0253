// SPDX-License-Identifier: Apache-2.0

/// A bar, plate or bell: the ratios of its modes, their levels, and their fall in decibels per second.
struct Bar {
  var rate = 24000.0
  var lead = 0.2
  var loop = 0.02
  var modes: [(ratio: Double, level: Double, fall: Double)]
  /// The fall of the lowest mode at middle C, and how many semitones double it.
  var slow = 30.0
  var doubling = 24.0
  /// The beater's noise: level and tone.
  var beater = 0.2
  var beaterTone = 1200.0
  var contact = 0.0006
}

extension SampleBank {
  private func bar(
    _ frequency: Double, _ key: Int, _ bar: Bar
  ) -> (sound: Sound, settings: Settings) {
    var sound = Sound(looping: frequency, rate: bar.rate, lead: bar.lead, loop: bar.loop)
    var random = RandomSource(seed: 800 + key)
    let higher = PortableMath.exp2((Double(key) - 60) / bar.doubling)
    for mode in bar.modes where mode.ratio * frequency < 10500 {
      sound.add(mode.ratio * frequency, phase: 0.02 * random.uniform()) { t in
        mode.level * fall(t, mode.fall * higher) * rise(t, bar.contact)
      }
    }
    let end = bar.lead
    let filters = [
      Biquad.bandPass(bar.beaterTone, q: 0.7, rate: bar.rate),
      Biquad.highPass(150, rate: bar.rate),
    ]
    sound.addBurst(&random, filters: filters) { t in
      bar.beater * (fall(t, 1100) + 0.15 * fall(t, 300)) * max(0, 1 - t / end)
    }
    return (sound, Settings().decay(100 / (bar.slow * higher)))
  }

  private func bars(
    _ name: String, roots: [Int], settings: Settings, _ model: Bar
  ) -> Voice {
    voice(name, roots: roots, loudness: -7, over: 0.4, settings: settings) { frequency, key in
      bar(frequency, key, model)
    }
  }

  func marimba() -> Voice {
    bars(
      "Marimba", roots: [42, 54, 66, 78, 90],
      settings: Settings().volume(decay: 3, sustain: 100, release: 0.5).effects(reverb: 16)
        .velocityDarkens(1800),
      Bar(
        lead: 0.16, modes: [(1, 1, 0), (3.93, 0.32, 110), (9.8, 0.16, 260), (17, 0.05, 400)],
        slow: 40, beater: 0.55, beaterTone: 700, contact: 0.0010))
  }

  func xylophone() -> Voice {
    bars(
      "Xylophone", roots: [60, 73, 86],
      settings: Settings().volume(decay: 2, sustain: 100, release: 0.4).effects(reverb: 14)
        .velocityDarkens(1200),
      Bar(
        rate: 28000, lead: 0.14,
        modes: [(1, 1, 0), (3, 0.95, 50), (6.1, 0.7, 120), (10.2, 0.4, 220)], slow: 100,
        beater: 0.9, beaterTone: 2600, contact: 0.0003))
  }

  func vibraphone() -> Voice {
    bars(
      "Vibraphone", roots: [50, 62, 74, 86],
      settings: Settings().volume(decay: 9, sustain: 100, release: 1.2)
        .effects(reverb: 20).velocityDarkens(1600).wobble(rate: 5.2, decibels: 2.2),
      Bar(
        rate: 20000, lead: 0.26,
        modes: [(1, 1, 0), (4, 0.22, 36), (10.1, 0.1, 130), (17.5, 0.05, 260)],
        slow: 11, beater: 0.18, beaterTone: 900, contact: 0.0009))
  }

  func glockenspiel() -> Voice {
    bars(
      "Glockenspiel", roots: [64, 77, 90],
      settings: Settings().volume(decay: 5, sustain: 100, release: 1.6).effects(reverb: 20)
        .velocityDarkens(1000),
      Bar(
        rate: 28000, lead: 0.26,
        modes: [
          (1, 0.32, 0), (2.756, 1.1, 20), (5.404, 1, 44), (8.93, 0.6, 56), (13.3, 0.3, 90),
        ],
        slow: 11, doubling: 40, beater: 0.5, beaterTone: 5500, contact: 0.0002))
  }

  func celesta() -> Voice {
    bars(
      "Celesta", roots: [54, 66, 78, 91],
      settings: Settings().volume(decay: 4, sustain: 100, release: 0.9).effects(reverb: 20)
        .velocityDarkens(1200),
      Bar(
        rate: 22000, lead: 0.22,
        modes: [(1, 0.9, 0), (2, 0.2, 24), (3.98, 0.5, 34), (9.2, 0.26, 90), (6.7, 0.16, 70)],
        slow: 22, beater: 0.3, beaterTone: 1800, contact: 0.0006))
  }

  /// Combs and tongues: music box, kalimba.
  func tongue() -> Voice {
    bars(
      "Tongue", roots: [54, 66, 78, 90],
      settings: Settings().volume(decay: 4, sustain: 100, release: 1.0).effects(reverb: 18)
        .velocityDarkens(1200),
      Bar(
        rate: 22000, lead: 0.2,
        modes: [(1, 0.9, 0), (2, 0.16, 16), (5.95, 0.7, 40), (3.02, 0.2, 26), (11.9, 0.3, 120)],
        slow: 24, beater: 0.55, beaterTone: 3000, contact: 0.0002))
  }

  func tubularBell() -> Voice {
    let settings = Settings().volume(decay: 12, sustain: 100, release: 3).effects(reverb: 30)
      .velocityDarkens(1000)
    return voice("Bell", roots: [57, 70], loudness: -9, settings: settings) { frequency, key in
      bar(
        frequency, key,
        Bar(
          rate: 21000, lead: 0.45, loop: 0.25,
          modes: [
            (0.5, 0.12, 0), (1, 0.45, 0), (1.503, 0.5, 3), (2.0, 0.9, 4), (2.61, 0.9, 6),
            (3.24, 0.9, 8), (4.1, 0.8, 10), (5.0, 0.7, 14), (6.1, 0.55, 20), (8.2, 0.45, 32),
          ], slow: 9.5, doubling: 40, beater: 0.5, beaterTone: 3200))
    }
  }

  func steelDrum() -> Voice {
    bars(
      "Steel Drum", roots: [52, 63, 74, 86],
      settings: Settings().volume(decay: 4, sustain: 100, release: 0.8).effects(reverb: 18)
        .velocityDarkens(1200),
      Bar(
        rate: 21000, lead: 0.28, loop: 0.05,
        modes: [
          (1, 1, 0), (2.003, 1, 8), (2.98, 0.6, 18), (4.02, 0.7, 26), (5.1, 0.4, 40),
          (6.2, 0.4, 52), (8.1, 0.26, 80),
        ], slow: 26, beater: 0.3, beaterTone: 1500, contact: 0.002))
  }

  func timpani() -> Voice {
    let settings = Settings().volume(decay: 5, sustain: 100, release: 2.5).effects(reverb: 24)
      .velocityDarkens(1600)
    return voice("Timpani", roots: [39, 51], loudness: -9, settings: settings) {
      frequency, key in
      bar(
        frequency, key,
        Bar(
          rate: 13000, lead: 0.45, loop: 0.12,
          modes: [
            (1, 1, 0), (1.5, 0.9, 4), (1.98, 0.65, 8), (2.44, 0.5, 12), (2.9, 0.35, 16),
            (0.62, 0.5, 70), (3.6, 0.3, 30), (4.4, 0.25, 44),
          ], slow: 26, doubling: 60, beater: 4, beaterTone: 900, contact: 0.0014))
    }
  }

  /// A drum skin with a definite pitch, for melodic toms and taiko.
  func skin() -> Voice {
    let settings = Settings().volume(decay: 1.9, sustain: 100, release: 1.5).effects(reverb: 18)
      .velocityDarkens(1500).sweep(decay: 0.3, pitch: 500)
    return voice("Skin", roots: [38, 50, 62], loudness: -7, over: 0.4, settings: settings) {
      frequency, key in
      bar(
        frequency, key,
        Bar(
          rate: 20000, lead: 0.26, loop: 0.04,
          modes: [
            (1, 1, 0), (1.59, 0.5, 60), (2.14, 0.35, 90), (2.3, 0.25, 110), (2.65, 0.2, 130),
            (3.5, 0.12, 180),
          ], slow: 60, doubling: 60, beater: 1.6, beaterTone: 900))
    }
  }
}
