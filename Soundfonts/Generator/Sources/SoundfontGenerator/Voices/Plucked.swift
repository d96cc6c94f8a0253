// SPDX-License-Identifier: Apache-2.0

/// How a string is plucked and how it rings.
struct Pluck {
  var rate = 32000.0
  var lead = 0.4
  var loop = 0.1
  /// Where the string is plucked, as a part of its length.
  var position = 0.2
  /// The corner of the excitation's spectrum in hertz, and its order.
  var brightness = 2500.0
  var order = 1.0
  /// The string's stiffness at its root.
  var stiffness = 3e-5
  /// The fall of the fundamental in decibels per second, made by the envelope.
  var slow = 12.0
  /// The additional fall at 2 kHz in decibels per second.
  var damping = 40.0
  /// How far each partial swells and sinks while the loop lasts, in decibels.
  var drift = 0.0
  /// Resonances of the body: frequency, width, gain.
  var body: [(Double, Double, Double)] = []
  /// The level and the tone of the finger's or plectrum's noise.
  var click = 0.1
  var clickTone = 1500.0
  /// The slope of the partials: 1 for a struck triangle, 0 for an impulse.
  var tilt = 0.6
  /// Where a pickup stands, as a part of the string; 0 for none.
  var pickup = 0.0
}

extension SampleBank {
  /// A plucked string: the modes of a lossy waveguide, each with its own decay.
  func pluckedString(
    _ frequency: Double, _ key: Double, _ pluck: Pluck
  ) -> (sound: Sound, settings: Settings) {
    let rate = pluck.rate
    var sound = Sound(looping: frequency, rate: rate, lead: pluck.lead, loop: pluck.loop)
    var random = RandomSource(seed: 200 + Int(key))
    var k = 1.0
    while k < 120 {
      let stretch = (1 + pluck.stiffness * k * k) / (1 + pluck.stiffness)
      let partial = k * frequency * stretch.squareRoot()
      if partial > min(0.44 * rate, 12500) { break }
      var amplitude = abs(PortableMath.sine(turns: k * pluck.position / 2)) + 0.03
      if pluck.pickup > 0 {
        amplitude *= abs(PortableMath.sine(turns: k * pluck.pickup / 2)) + 0.08
      }
      amplitude *= rolloff(partial, pluck.brightness, order: pluck.order)
      amplitude /= PortableMath.power(k, pluck.tilt)
      var body = pluck.body.isEmpty ? 1.0 : 0.6
      for (centre, width, gain) in pluck.body {
        body += gain * resonance(partial, at: centre, width: width)
      }
      amplitude *= body * (1 + 0.15 * random.bipolar())
      let faster =
        pluck.slow * 0.06 * (k - 1) + pluck.damping * PortableMath.power(partial / 2000, 1.1)
      let split = 0.5 + 0.5 * random.uniform()
      let phase = random.uniform()
      let envelope = { (t: Double) in
        let quick = 0.35 * fall(t, faster * 1.8 + pluck.slow * split) + 0.65 * fall(t, faster)
        return amplitude * quick * rise(t, 0.0005)
      }
      if pluck.drift > 0 {
        let wander = Wander(&random, period: sound.period, upTo: 8)
        let still = Double(sound.loopStart) / rate
        let factors = sound.atJoints { t in
          Turned(
            envelope(min(t, still)) * PortableMath.gain(decibels: pluck.drift * wander.at(t)),
            turns: 0.02 * wander.at(t))
        }
        sound.add(partial, phase: phase, moving: factors)
      } else {
        sound.add(partial, phase: phase, envelope: envelope)
      }
      k += 1
    }
    let click = pluck.click
    let filters = [
      Biquad.bandPass(pluck.clickTone, q: 0.7, rate: rate), Biquad.highPass(120, rate: rate),
    ]
    sound.addBurst(&random, filters: filters) { t in
      click * (fall(t, 900) + 0.1 * fall(t, 260)) * max(0, 1 - t / 0.2)
    }
    return (sound, Settings().decay(100 / pluck.slow))
  }

  func nylonGuitar(softly: Bool = false) -> Voice {
    let settings = Settings().volume(decay: 9, sustain: 100, release: 0.35)
      .effects(reverb: 14).velocityDarkens(1600)
    let name = softly ? "Nylon P" : "Nylon"
    return voice(name, roots: [40, 50, 60, 70, 81], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 22000, lead: 0.32, loop: 0.08, position: 0.22, brightness: softly ? 675 : 1500,
          order: 1.0,
          stiffness: 2e-5, slow: 6 * PortableMath.exp2((Double(key) - 52) / 24), damping: 50,
          body: [(105, 45, 1.6), (205, 70, 1.5), (400, 160, 0.7)], click: softly ? 0.08 : 0.25,
          clickTone: 900,
          tilt: 0.5))
    }
  }

  func steelGuitar(softly: Bool = false) -> Voice {
    let settings = Settings().volume(decay: 10, sustain: 100, release: 0.35)
      .effects(reverb: 14).velocityDarkens(1500)
    let name = softly ? "Steel P" : "Steel"
    return voice(name, roots: [40, 50, 60, 70, 81], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 26000, lead: 0.32, loop: 0.08, position: 0.15, brightness: softly ? 1620 : 3600,
          order: 0.9,
          stiffness: 6e-5,
          slow: 8 * PortableMath.exp2((Double(key) - 52) / 20), damping: 22,
          body: [(100, 40, 1.2), (200, 80, 1.1), (520, 300, 0.5)], click: softly ? 0.13 : 0.4,
          clickTone: 3200,
          tilt: 0.42))
    }
  }

  func electricGuitar() -> Voice {
    let settings = Settings().volume(decay: 14, sustain: 100, release: 0.3)
      .effects(reverb: 14).velocityDarkens(1500)
    return voice("Electric", roots: [41, 54, 66, 79], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 22000, lead: 0.28, loop: 0.06, position: 0.17, brightness: 2600, order: 1.4,
          stiffness: 5e-5, slow: 8.4 * PortableMath.exp2((Double(key) - 52) / 26), damping: 26,
          click: 0.12, clickTone: 2400, tilt: 0.3, pickup: 0.24))
    }
  }

  /// A guitar through an overdriven valve stage and a loudspeaker; it sustains.
  func distortedGuitar() -> Voice {
    let settings = Settings().volume(decay: 70, sustain: 100, release: 0.25)
      .effects(reverb: 14, chorus: 4).velocityDarkens(1200).player(
        5, rate: 5.0, after: 0.6, filter: 60)
    return voice("Distorted", roots: [39, 49, 59, 70, 82], settings: settings) {
      frequency, key in
      var made = pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 28000, lead: 0.14, loop: 0.3, position: 0.2, brightness: 2200, order: 1.2,
          stiffness: 0,
          slow: 4, damping: 12, drift: 1.2, click: 0.3, clickTone: 2000, tilt: 0.3, pickup: 0.2))
      made.sound = made.sound.normalised(to: 1)
      made.sound.shape { x in
        PortableMath.saturate(7 * x + 0.8) - PortableMath.saturate(0.8)
      }
      for filter in [
        Biquad.highPass(90, rate: 28000), Biquad.lowPass(4300, q: 0.9, rate: 28000),
        Biquad.lowPass(5200, rate: 28000), Biquad.peak(1900, q: 1, decibels: 5, rate: 28000),
      ] { made.sound.filter(filter) }
      return (made.sound, Settings())
    }
  }

  func acousticBass() -> Voice {
    let settings = Settings().volume(decay: 8, sustain: 100, release: 0.25)
      .effects(reverb: 6).velocityDarkens(1200)
    return voice("Acoustic Bass", roots: [30, 40, 51], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 14000, lead: 0.4, loop: 0.08, position: 0.2, brightness: 420, order: 1.1,
          stiffness: 1e-4, slow: 5.6 * PortableMath.exp2((Double(key) - 36) / 24), damping: 70,
          body: [(98, 40, 1.2), (170, 80, 1)], click: 0.25, clickTone: 700, tilt: 0.55))
    }
  }

  func fingerBass() -> Voice {
    let settings = Settings().volume(decay: 12, sustain: 100, release: 0.2)
      .effects(reverb: 3).velocityDarkens(1800)
    return voice("Finger Bass", roots: [29, 39, 50], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 18000, lead: 0.36, loop: 0.08, position: 0.16, brightness: 760, order: 1.1,
          stiffness: 6e-5, slow: 4.4, damping: 36, click: 0.14, clickTone: 1400, tilt: 0.45,
          pickup: 0.21))
    }
  }

  func slapBass() -> Voice {
    let settings = Settings().volume(decay: 10, sustain: 100, release: 0.2)
      .effects(reverb: 3).velocityDarkens(1200)
    return voice("Slap Bass", roots: [31, 43], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 26000, lead: 0.3, loop: 0.08, position: 0.07, brightness: 1700, order: 1.0,
          stiffness: 8e-5, slow: 4.6, damping: 28, click: 0.6, clickTone: 3200, tilt: 0.4,
          pickup: 0.16))
    }
  }

  func pizzicato() -> Voice {
    let settings = Settings().volume(decay: 3, sustain: 100, release: 0.5).effects(reverb: 22)
      .velocityDarkens(1500)
    return voice("Pizzicato", roots: [40, 53, 66, 79], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 20000, lead: 0.2, loop: 0.04, position: 0.24, brightness: 1300, order: 0.9,
          stiffness: 4e-5, slow: 34 * PortableMath.exp2((Double(key) - 60) / 30), damping: 90,
          body: [(280, 120, 1), (480, 150, 1), (900, 400, 0.6)], click: 0.3, clickTone: 900,
          tilt: 0.6))
    }
  }

  /// The harp, which also serves the softer zithers.
  func harp() -> Voice {
    let settings = Settings().volume(decay: 9, sustain: 100, release: 1.6).effects(reverb: 22)
      .velocityDarkens(1400)
    return voice("Harp", roots: [34, 46, 58, 70, 83], settings: settings) { frequency, key in
      pluckedString(
        frequency, Double(key),
        Pluck(
          rate: 20000, lead: 0.3, loop: 0.05, position: 0.45, brightness: 1900, order: 0.8,
          stiffness: 2e-5, slow: 11.8 * PortableMath.exp2((Double(key) - 52) / 40), damping: 55,
          body: [(180, 200, 0.6), (420, 300, 0.4)], click: 0.12, clickTone: 1500, tilt: 0.7))
    }
  }

  /// The sitar: a bridge that buzzes, so that its brightness wanders down as the note rings.
  func sitar() -> Voice {
    let settings = Settings().volume(decay: 10, sustain: 100, release: 0.5).effects(reverb: 18)
    return voice("Sitar", roots: [48, 60, 72], settings: settings) { frequency, key in
      var sound = Sound(looping: frequency, rate: 22000, lead: 0.36, loop: 0.09)
      var random = RandomSource(seed: 300 + key)
      var k = 1.0
      while k * frequency < 9000 {
        let f = k * frequency
        let base = (abs(PortableMath.sine(turns: k * 0.06)) + 0.1) / PortableMath.power(k, 0.7)
        sound.add(f, phase: random.uniform()) { t in
          let centre = 1200 + 3400 * fall(t, 12)
          let buzz = 0.22 + 1.5 * resonance(f, at: centre, width: 2200)
          return base * buzz * fall(t, 6 * f / 2000) * rise(t, 0.0006)
        }
        k += 1
      }
      sound.addBurst(&random, filters: [Biquad.bandPass(3200, q: 0.8, rate: 22000)]) { t in
        0.8 * fall(t, 700) * max(0, 1 - t / 0.2)
      }
      return (sound, Settings().decay(11.5 * PortableMath.exp2((52 - Double(key)) / 26)))
    }
  }
}
