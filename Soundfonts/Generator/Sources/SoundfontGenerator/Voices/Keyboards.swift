// SPDX-License-Identifier: Apache-2.0

extension SampleBank {
  /// Struck strings: inharmonic partials with the hammer's spectrum, in two stages of decay.
  ///
  /// The hammer's hardness is 0 for felt pressed softly, 1 for a hard blow.
  func piano(_ name: String, hardness: Double, velocities: ClosedRange<Int>) -> Voice {
    let settings = Settings().volume(decay: 20, sustain: 100, release: 0.55)
      .effects(reverb: 12)
    return voice(
      name, roots: [28, 39, 50, 61, 71, 81, 91, 101], loudness: -12.5, velocities: velocities,
      settings: settings
    ) { frequency, key in
      pianoString(frequency, Double(key), hardness)
    }
  }

  private func pianoString(
    _ frequency: Double, _ key: Double, _ hardness: Double
  ) -> (sound: Sound, settings: Settings) {
    let rate = hardness < 0.5 ? 20000.0 : key < 45 ? 22000 : 30000
    let lead = key < 48 ? 0.68 : key < 60 ? 0.6 : key < 75 ? 0.5 : key < 85 ? 0.38 : 0.24
    let loop = key < 60 ? 0.3 : key < 75 ? 0.22 : 0.08
    var sound = Sound(looping: frequency, rate: rate, lead: lead, loop: loop)
    var random = RandomSource(seed: 100 + Int(key) + (hardness < 0.5 ? 40 : 0))
    let stiffness =
      3.2e-4 * PortableMath.exp2((key - 60) / 8.6) + 1.0e-4 * PortableMath.exp2((36 - key) / 9)
    // The slow fall the envelope makes; the wave holds what is faster than that.
    let slow = 2.2 * PortableMath.exp2((key - 48) / 16)
    let prompt = 3.0 * slow
    let hammer = (450 + 1250 * hardness * hardness) * PortableMath.exp2((key - 60) / 34)
    let contact = 0.0022 * PortableMath.exp2((60 - key) / 26) * (1.25 - 0.5 * hardness)
    var k = 1.0
    while k < 90 {
      let partial = k * frequency * ((1 + stiffness * k * k) / (1 + stiffness)).squareRoot()
      if partial > min(0.44 * rate, 11000) { break }
      let strike = abs(PortableMath.sine(turns: k / 16.4)) * 0.9 + 0.1
      let board = rollon(partial, 95, order: 1.6) * (1 + 0.28 * random.bipolar())
      let felt =
        rolloff(partial, hammer, order: 1.25) * rolloff(partial, hammer * 3.2, order: 2)
      let amplitude = strike * board * felt / PortableMath.power(k, 0.35)
      let faster = prompt * 0.16 * (k - 1) + 22 * PortableMath.power(partial / 3800, 1.3)
      let late = slow * 0.1 * (k - 1) + 9 * PortableMath.power(partial / 3800, 1.3)
      let aftersound = 0.28 + 0.1 * random.uniform()
      let beat = 0.35 + 0.5 * random.uniform()
      let (beatPhase, phase) = (random.uniform(), random.uniform())
      sound.add(partial, phase: phase) { t in
        let beating = 1 + 0.35 * PortableMath.sine(turns: beat * t + beatPhase)
        let body =
          (1 - aftersound) * fall(t, faster) + aftersound * fall(t, late) * beating
        return amplitude * body * rise(t, contact)
      }
      k += 1
    }
    // The blow itself: key bed and soundboard.
    let thump = (0.5 + 0.8 * hardness) * PortableMath.exp2((key - 72) / 40) * 1.05
    let filters = [
      Biquad.lowPass(900 + 1800 * hardness, rate: rate), Biquad.highPass(90, rate: rate),
      Biquad.peak(240, q: 1.2, decibels: 7, rate: rate),
    ]
    sound.addBurst(&random, filters: filters) { t in
      thump * (fall(t, 420) + 0.4 * fall(t, 130)) * rise(t, 0.0012)
        * max(0, 1 - t / 0.24)
    }
    // The soundboard and the case answer longer, and lower than most notes.
    let answer = [
      Biquad.bandPass(110, q: 0.5, rate: rate), Biquad.lowPass(1500, rate: rate),
    ]
    sound.addBurst(&random, filters: answer) { t in
      0.6 * thump * (fall(t, 70) + 0.25 * fall(t, 22)) * rise(t, 0.003) * max(0, 1 - t / lead)
    }
    // Above the dampers strings ring on when the key is let go.
    let release = key > 90 ? 4 : 0.42 + 0.9 * PortableMath.exp2((28 - key) / 12)
    return (sound, Settings().release(release))
  }

  /// What is heard of the dampers when a key is let go: felt on strings, the key's return.
  ///
  /// The second envelope holds a low pass shut while the key is down and opens it as it goes up.
  func dampers() -> Voice {
    let rate = 12000.0
    var sound = Sound(looping: 130.8, rate: rate, lead: 0.01, loop: 0.3)
    var random = RandomSource(seed: 150)
    for (centre, q) in [(170.0, 2.0), (390, 1.5), (900, 0.6)] {
      sound.addBreath(&random, filters: [.bandPass(centre, q: q, rate: rate)]) { _ in q.squareRoot()
      }
    }
    let settings = Settings().volume(attack: 0.08, decay: 5, sustain: 100, release: 0.3)
      .with(.scaleTuning, 0).effects(reverb: 12).lowPass(2400)
      .sweep(decay: 0.001, sustain: 0, release: 0.03, filter: -12000)
    let sample = add("Dampers", rootKey: 60, sound.levelled(to: -11.5), isStruck: true)
    // Above key 88 there are none.
    let zone = Zone(keys: 0...88, sample: sample, rootKey: 60, looped: true)
    return Voice(name: "Dampers", zones: [zone], settings: settings)
  }

  /// The tine piano: a bar and its tine by frequency modulation.
  func electricPiano(_ name: String, bark: Double, velocities: ClosedRange<Int>) -> Voice {
    let settings = Settings().volume(decay: 14, sustain: 100, release: 0.45)
      .effects(reverb: 14, chorus: 12).velocityDarkens(1500)
    return voice(
      name, roots: [36, 48, 60, 72, 85], velocities: velocities, settings: settings
    ) { frequency, key in
      let rate = 22000.0
      var sound = Sound(looping: frequency, rate: rate, lead: 0.21, loop: 0.03)
      let f = sound.fundamental
      var ratio = 13.0
      while ratio * f > 7500 { ratio -= 2 }
      let tine = 0.32 * (0.4 + 0.6 * bark)
      let high = rolloff(f, 500, order: 0.7)
      for index in sound.wave.indices {
        let t = min(Double(index), Double(sound.loopStart)) / rate
        let turn = f * Double(index) / rate
        let depth = (bark * (0.30 + 1.15 * fall(t, 14)) + 0.12) * high / (2 * PortableMath.pi)
        let bar = PortableMath.sine(
          turns: turn + depth * PortableMath.sine(turns: turn) * 1.6
            + 0.5 * depth * PortableMath.sine(turns: 2 * turn + 0.1))
        let ending = 1 - Double(min(index, sound.loopStart)) / Double(sound.loopStart)
        let ring = PortableMath.sine(turns: ratio * turn) * fall(t, 130) * ending * tine * high
        let knock = PortableMath.sine(turns: 4 * turn) * fall(t, 60) * ending * 0.12 * bark
        sound.wave[index] = (bar + ring + knock) * rise(t, 0.0009)
      }
      sound.filter(Biquad.highPass(25, rate: rate))
      let slow = 6.4 * PortableMath.exp2((Double(key) - 60) / 26)
      return (sound, Settings().decay(100 / slow))
    }
  }

  /// The harpsichord: plucked near the bridge, with the jack's click.
  func harpsichord() -> Voice {
    let settings = Settings().volume(decay: 9, sustain: 100, release: 0.35)
      .effects(reverb: 16).velocityDarkens(300)
    return voice("Harpsichord", roots: [36, 47, 58, 69, 80], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 28000, lead: 0.22, loop: 0.07, position: 0.09, brightness: 6500, order: 0.75,
          stiffness: 2e-5, slow: 10 * PortableMath.exp2((Double(key) - 60) / 26), damping: 18,
          body: [(210, 120, 1.5), (480, 250, 1)], click: 0.35, clickTone: 3800,
          tilt: 0.25))
    }
  }
}
