// SPDX-License-Identifier: Apache-2.0

extension SampleBank {
  private func effect(
    _ name: String, root: Int, settings: Settings, loudness: Double = -11.5, _ sound: Sound,
    isTonal: Bool = false
  ) -> Voice {
    let sample = add(
      name, rootKey: 60, sound.levelled(to: loudness, over: 0.3), isStruck: !isTonal)
    let zone = Zone(
      keys: 0...127, sample: sample, rootKey: root, looped: sound.loopLength > 0)
    return Voice(name: name, zones: [zone], settings: settings)
  }

  /// A cymbal played backwards.
  func reverseCymbal() -> Voice {
    var sound = Drums.crash(61, seconds: 0.7, low: 330, quick: 30)
    sound.wave.reverse()
    return effect(
      "Reverse Cymbal", root: 60,
      settings: Settings().volume(release: 0.3).effects(reverb: 20), sound)
  }

  func bird() -> Voice {
    var sound = Sound(looping: 440, rate: 20000, lead: 0, loop: 0.8)
    for (start, from, to, length) in [
      (0.02, 2900.0, 4300.0, 0.09), (0.16, 4200, 3100, 0.07), (0.28, 3000, 4700, 0.1),
      (0.55, 4400, 3600, 0.05), (0.63, 4400, 3600, 0.05), (0.71, 4500, 3500, 0.06),
    ] {
      sound.addGlide(frequency: { t in
        from + (to - from) * min(1, max(0, t - start) / length)
          + 140 * PortableMath.sine(turns: 46 * t)
      }) { t in
        t < start || t > start + length
          ? 0 : PortableMath.sine(turns: (t - start) / length / 2)
      }
    }
    return effect(
      "Bird", root: 69, settings: Settings().volume(release: 0.2).effects(reverb: 24), sound,
      isTonal: true)
  }

  func telephone() -> Voice {
    var sound = Sound(looping: 440, rate: 24000, lead: 0, loop: 0.2)
    for (f, level) in [
      (1105.0, 1.0), (1390, 0.8), (2760, 0.8), (4120, 0.8), (5600, 0.6), (7300, 0.4),
    ] {
      for side in [-20.0, 0, 20] {
        sound.add(f + side, phase: side == 0 ? 0 : 0.25) { _ in side == 0 ? level : level * 0.45 }
      }
    }
    return effect(
      "Telephone", root: 57, settings: Settings().volume(release: 0.1), sound, isTonal: true)
  }

  func applause() -> Voice {
    var sound = Sound(looping: 440, rate: 16000, lead: 0, loop: 1.2)
    var random = RandomSource(seed: 950)
    let count = sound.wave.count
    for _ in 0..<420 {
      let start = Int(random.uniform() * Double(count))
      var filter = Biquad.bandPass(900 + 1300 * random.uniform(), q: 1.4, rate: 16000)
      let level = 0.3 + random.uniform()
      for index in 0..<500 {
        let value = filter.process(random.bipolar()) * fall(Double(index) / 16000, 1500)
        sound.wave[(start + index) % count] += level * value
      }
    }
    return effect(
      "Applause", root: 69, settings: Settings().volume(attack: 0.4, release: 1.2), sound)
  }

  /// The finger that slides along a wound string.
  func fretNoise() -> Voice {
    var sound = Sound(once: 0.3, rate: 24000)
    var random = RandomSource(seed: 951)
    for ratio in [1.0, 2.1, 3.2] {
      sound.addGlide(frequency: { t in (900 + 2600 * t) * ratio }) { t in
        0.12 * rise(t, 0.02) * max(0, 1 - t / 0.28)
      }
    }
    sound.addBurst(&random, filters: [.bandPass(2800, q: 0.9, rate: 24000)]) { t in
      rise(t, 0.03) * max(0, 1 - t / 0.28)
    }
    return effect("Fret Noise", root: 60, settings: Settings().volume(release: 0.2), sound)
  }

  func agogoBells() -> Voice {
    effect(
      "Agogo", root: 58, settings: Settings().volume(release: 2).effects(reverb: 14),
      Drums.agogo())
  }

  func woodBlocks() -> Voice {
    effect(
      "Wood Block", root: 62, settings: Settings().volume(release: 2).effects(reverb: 12),
      Drums.woodBlock())
  }
}
