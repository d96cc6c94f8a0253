// SPDX-License-Identifier: Apache-2.0

extension SampleBank {
  /// Tone wheels: nine drawbars, 0 to 8, with the leakage of the neighbours.
  func drawbars(_ name: String, _ registration: [Double], drive: Double = 0) -> Voice {
    let settings = Settings().volume(attack: 0.004, release: 0.06).effects(reverb: 10, chorus: 8)
    return voice(name, roots: [36, 48, 60, 72, 85], settings: settings) { frequency, key in
      let rate = 28000.0
      var sound = Sound(looping: frequency, rate: rate, lead: 0.05, loop: 0.08, cycle: 2)
      var random = RandomSource(seed: 600 + key)
      let pitches = [0.5, 1.5, 1, 2, 3, 4, 5, 6, 8]
      let gentle = { (f: Double) in rolloff(f, 5200, order: 1.2) }
      for (drawbar, pitch) in zip(registration, pitches) where drawbar > 0 {
        var f = pitch * frequency
        // The highest wheels repeat the octave below, as in the console.
        while f > 5900 { f /= 2 }
        let amplitude = PortableMath.gain(decibels: 3 * (drawbar - 8)) * gentle(f)
        sound.add(f, phase: random.uniform()) { t in amplitude * rise(t, 0.0015) }
        let leak = 0.012 * amplitude
        sound.add(f * 1.0594, phase: random.uniform()) { _ in leak }
        sound.add(f * 0.9439, phase: random.uniform()) { _ in leak }
      }
      sound.addBurst(&random, filters: [Biquad.bandPass(2400, q: 0.6, rate: rate)]) { t in
        0.5 * fall(t, 2200) * max(0, 1 - t / 0.05)
      }
      if drive > 0 {
        sound = sound.normalised(to: 1)
        sound.shape { x in PortableMath.saturate(drive * x + 0.15) - PortableMath.saturate(0.15) }
        sound.filter(Biquad.lowPass(6500, rate: rate))
      }
      return (sound, Settings())
    }
  }

  /// The percussion tab: second and third harmonic, dying away.
  func organPercussion() -> Voice {
    let settings = Settings().volume(decay: 1.6, sustain: 100, release: 0.06)
      .effects(reverb: 10)
    return voice("Percussion", roots: [42, 55, 68, 81, 94], settings: settings) { frequency, _ in
      var sound = Sound(looping: frequency, rate: 24000, lead: 0.02, loop: 0.03)
      sound.add(2 * frequency, phase: 0) { t in 0.4 * rise(t, 0.001) }
      sound.add(3 * frequency, phase: 0) { t in rise(t, 0.001) }
      return (sound, Settings())
    }
  }

  /// A principal chorus: 8, 4, 2 2/3, 2 and 1 foot, every pipe a little apart.
  func churchOrgan() -> Voice {
    let settings = Settings().volume(attack: 0.02, release: 0.5).effects(reverb: 40)
    return voice(
      "Principal", roots: [36, 48, 60, 72, 85], over: 0.9, settings: settings
    ) { frequency, key in
      let rate = 27000.0
      var sound = Sound(looping: frequency, rate: rate, lead: 0.14, loop: 0.26)
      var random = RandomSource(seed: 700 + key)
      let grid = rate / Double(sound.loopLength)
      for (foot, level) in [(1.0, 1.0), (2, 0.75), (3, 0.3), (4, 0.5), (8, 0.22)] {
        var k = 1.0
        while k <= 10, foot * k * frequency < 11000 {
          let f = foot * k * frequency
          let amplitude = level * rolloff(f, 4200, order: 1) / PortableMath.power(k, 1.15)
          let speak = 0.012 + 0.012 / foot
          let away = foot == 1 ? 0 : (random.uniform() < 0.5 ? -grid : grid)
          for (offset, gain) in [(away, 1.0), (away + grid, 0.12), (away - grid, 0.12)] {
            sound.add(f + offset, phase: random.uniform()) { t in
              amplitude * gain * rise(t, speak) * (1 + 0.5 * fall(t, 120) * (k == 2 ? 1 : 0))
            }
          }
          k += 1
        }
      }
      let chiff = min(5000, 4 * frequency)
      sound.addBurst(&random, filters: [Biquad.bandPass(chiff, q: 1, rate: rate)]) { t in
        0.5 * fall(t, 240) * rise(t, 0.004) * max(0, 1 - t / 0.13)
      }
      sound.addBreath(&random, filters: [Biquad.bandPass(2500, q: 0.5, rate: rate)]) { t in
        0.03 * rise(t, 0.02)
      }
      return (sound, Settings())
    }
  }
}
