// SPDX-License-Identifier: Apache-2.0

/// Metal that rings on: a stroke, then a loop that the envelope lets die away.
extension Drums {
  /// A stroke and the settings that let it ring.
  struct Ringing {
    let sound: Sound
    let settings: Settings
  }

  static let triangleModes = [
    (1180.0, 0.12), (2470, 0.35), (4210, 0.8), (5320, 1), (6950, 0.55), (8840, 0.4),
    (11300, 0.3), (13700, 0.2),
  ]

  /// Builds a stroke whose loop falls by `slow` decibels a second.
  private static func ringing(
    _ seed: Int, lead: Double, loop: Double, slow: Double, loudness: Double,
    _ build: (inout Sound, inout RandomSource) -> Void
  ) -> Ringing {
    let middle = PortableMath.frequency(key: 60)
    var sound = Sound(looping: middle, rate: rate, lead: lead, loop: loop)
    var random = RandomSource(seed: 2100 + seed)
    build(&sound, &random)
    // It has no pitch to be kept: so it is stored at the rate it was computed at.
    sound.wanted = sound.fundamental
    return Ringing(
      sound: sound.levelled(to: loudness, over: 0.25),
      settings: Settings().decay(100 / slow).release(100 / slow))
  }

  static func crash() -> Ringing {
    ringing(1, lead: 0.72, loop: 0.34, slow: 15, loudness: -13) { sound, random in
      sound.addPlate(&random, modes: 230, from: 330, to: 14500) { f, t in
        let speak = 0.004 + 0.03 * rolloff(f, 2500, order: 2)
        return 0.1 * rollon(f, 900, order: 0.7) * rise(t, speak)
          * (0.6 * fall(t, 1 + f / 420) + 0.4 * fall(t, 60))
      }
      let filters = [Biquad.highPass(3200, rate: rate)]
      sound.addBreath(&random, filters: filters) { t in
        0.8 * fall(t, 26) * rise(t, 0.002) + 0.6 * fall(t, 600)
      }
    }
  }

  static func ride() -> Ringing {
    ringing(2, lead: 0.46, loop: 0.3, slow: 17, loudness: -20) { sound, random in
      sound.addPlate(&random, modes: 120, from: 380, to: 13000) { f, t in
        0.07 * rollon(f, 2600, order: 0.8) * (fall(t, 4 + f / 300) + 0.8 * fall(t, 200))
      }
      addBellModes(to: &sound, level: 0.12, quick: 12)
      addStick(to: &sound, &random)
    }
  }

  static func rideBell() -> Ringing {
    ringing(3, lead: 0.34, loop: 0.16, slow: 22, loudness: -19) { sound, random in
      sound.addPlate(&random, modes: 90, from: 380, to: 12000) { f, t in
        0.05 * rollon(f, 2600, order: 0.8) * (fall(t, 10 + f / 260) + 0.8 * fall(t, 200))
      }
      addBellModes(to: &sound, level: 0.9, quick: 8)
      addStick(to: &sound, &random)
    }
  }

  private static func addBellModes(to sound: inout Sound, level: Double, quick: Double) {
    for (f, share) in [(812.0, 0.5), (1406, 0.6), (2130, 0.8), (3340, 0.6), (4410, 0.4)] {
      sound.add(f, phase: 0) { t in level * share * fall(t, quick * (1 + f / 3000)) }
    }
  }

  private static func addStick(to sound: inout Sound, _ random: inout RandomSource) {
    sound.addBurst(&random, filters: [.highPass(4800, rate: rate)]) { t in
      0.8 * fall(t, 900) + 0.1 * fall(t, 90) * max(0, 1 - t / 0.3)
    }
  }

  static func openHat() -> Ringing {
    ringing(4, lead: 0.3, loop: 0.24, slow: 34, loudness: -18) { sound, random in
      sound.addPlate(&random, modes: 130, from: 1400, to: 14600) { f, t in
        0.2 * rollon(f, 4600, order: 1.5) * (fall(t, 4 + f / 900) + 0.6 * fall(t, 900))
      }
      sound.addBreath(&random, filters: [.highPass(5600, rate: rate)]) { t in
        0.9 * fall(t, 14) + 1.1 * fall(t, 1100)
      }
      sound.addBurst(&random, filters: [.bandPass(2600, q: 0.4, rate: rate)]) { t in
        0.4 * fall(t, 700) * max(0, 1 - t / 0.2)
      }
    }
  }

  static func openTriangle() -> Ringing {
    ringing(5, lead: 0.3, loop: 0.1, slow: 17, loudness: -16) { sound, _ in
      for (f, level) in triangleModes {
        sound.add(f, phase: 0.25) { t in level * fall(t, 3 + f / 800) }
      }
    }
  }
}
