// SPDX-License-Identifier: Apache-2.0

extension SampleBank {
  /// A waveform by its harmonics; zones are narrow so that none is heard above the hearing.
  private func oscillator(
    _ name: String, settings: Settings, harmonic: (Int) -> (level: Double, phase: Double)
  ) -> Voice {
    let roots = Array(stride(from: 26, through: 104, by: 6))
    return voice(name, roots: roots, settings: settings) { frequency, _ in
      let rate = 32000.0
      var sound = Sound(looping: frequency, rate: rate, lead: 0, loop: max(0.012, 3 / frequency))
      var k = 1
      // Three semitones up, the top partial still lies below 15 kHz.
      while Double(k) * frequency * 1.19 < 15000 {
        let (level, phase) = harmonic(k)
        let edge = rolloff(Double(k) * frequency, 11000, order: 3)
        if level != 0 { sound.add(Double(k) * frequency, phase: phase) { _ in level * edge } }
        k += 1
      }
      return (sound, Settings())
    }
  }

  func saw() -> Voice {
    oscillator("Saw", settings: Settings().volume(attack: 0.003, release: 0.15)) { k in
      (1 / Double(k), k % 2 == 0 ? 0.5 : 0)
    }
  }

  func square() -> Voice {
    oscillator("Square", settings: Settings().volume(attack: 0.003, release: 0.15)) { k in
      (k % 2 == 1 ? 1 / Double(k) : 0, 0)
    }
  }

  /// A pulse of a quarter: hollow and nasal.
  func pulse() -> Voice {
    oscillator("Pulse", settings: Settings().volume(attack: 0.003, release: 0.15)) { k in
      (PortableMath.sine(turns: Double(k) * 0.125) / Double(k), 0.25)
    }
  }

  func sine() -> Voice {
    oscillator("Sine", settings: Settings().volume(attack: 0.01, release: 0.15)) { k in
      (k == 1 ? 1 : k == 2 ? 0.03 : k == 3 ? 0.02 : 0, 0)
    }
  }

  /// A wide, slow wave: many detuned saws behind a gentle filter.
  func pad() -> Voice {
    let settings = Settings().volume(attack: 0.5, release: 1.2).effects(reverb: 34, chorus: 20)
      .velocityDarkens(900)
    return voice("Pad", roots: [36, 48, 60, 72, 85], over: 0.9, settings: settings) {
      frequency, key in
      let made = ensemble(
        frequency, key + 50, rate: 17000, lead: 0.05, loop: 0.62, width: 20, onset: 0.03,
        top: 7000
      ) { k, f in rolloff(f, 2600, order: 1) / PortableMath.power(k, 0.95) }
      return (made, Settings())
    }
  }

  /// Glass: few partials, spread wide.
  func glass() -> Voice {
    let settings = Settings().volume(attack: 0.25, release: 1.5).effects(reverb: 40, chorus: 20)
    return voice("Glass", roots: [51, 64, 77], over: 0.9, settings: settings) {
      frequency, key in
      let made = ensemble(
        frequency, key + 90, rate: 15000, lead: 0.05, loop: 0.56, width: 9, onset: 0.03, top: 6000
      ) { k, _ in
        let table = [1, 0.15, 0.35, 0.05, 0.2, 0.02, 0.1, 0.02, 0.05]
        return k <= 9 ? table[Int(k) - 1] : 0
      }
      return (made, Settings())
    }
  }

  /// Noise without pitch, for breath, surf and wind; every key sounds the same.
  func noise() -> Voice {
    let settings = Settings().volume(attack: 0.01, release: 0.4).with(.scaleTuning, 0)
      .effects(reverb: 16)
    return voice("Noise", roots: [60], loudness: -9, settings: settings, isStruck: true) {
      frequency, _ in
      var sound = Sound(looping: frequency, rate: 28000, lead: 0.01, loop: 0.8)
      var random = RandomSource(seed: 900)
      sound.addBreath(&random, filters: [Biquad.highPass(60, rate: 28000)]) { _ in 1 }
      return (sound, Settings())
    }
  }
}
