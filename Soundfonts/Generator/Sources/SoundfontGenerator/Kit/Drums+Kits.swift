// SPDX-License-Identifier: Apache-2.0

/// Strokes of the other kits: in a room, at full power, synthetic, with brushes, in an orchestra.
extension Drums {
  /// A kick drum by its skin: where the pitch ends, how far it falls, how long it rings.
  struct Kick {
    var seconds = 0.45
    var pitch = 50.0
    var drop = 1.7
    /// The fall of the tone in decibels a second.
    var quick = 60.0
    var click = 0.8
    var clickTone = 3000.0
    var thump = 0.8
    var drive = 1.6
    /// Noise of the room, and its fall.
    var room = 0.0
  }

  static func kick(_ seed: Int, _ model: Kick) -> Sound {
    stroke(model.seconds, seed: seed, loudness: -13.5) { sound, random in
      sound.addGlide(frequency: { t in
        model.pitch * (1 + 0.5 * model.drop * fall(t, 340) + 1.4 * model.drop * fall(t, 1900))
      }) { t in
        fall(t, model.quick) * rise(t, 0.0008) * max(0, 1 - t / model.seconds)
      }
      sound.addBurst(&random, filters: [.bandPass(model.clickTone, q: 0.7, rate: rate)]) { t in
        model.click * fall(t, 1300)
      }
      sound.addBurst(&random, filters: [.lowPass(400, rate: rate)]) { t in
        model.thump * fall(t, 380)
      }
      sound.addBurst(&random, filters: [.bandPass(500, q: 0.4, rate: rate)]) { t in
        model.room * rise(t, 0.01) * fall(t, 130)
      }
      sound.shape { x in PortableMath.saturate(model.drive * x) }
    }
  }

  /// A snare drum: its skin, its wires and the room.
  struct Snare {
    var seconds = 0.35
    var pitch = 190.0
    var ring = 1.0
    var wires = 1.0
    var wireTone = 4200.0
    /// The fall of the wires' noise in decibels a second.
    var quick = 165.0
    var crack = 1.4
    var room = 0.0
    /// Seconds after which a gate shuts; 0 for none.
    var gate = 0.0
  }

  static func snare(_ seed: Int, _ model: Snare) -> Sound {
    stroke(model.seconds, seed: seed, loudness: -14) { sound, random in
      for (ratio, level, quick) in [(1.0, 1.0, 190.0), (1.78, 0.7, 230), (2.4, 0.25, 300)] {
        sound.addGlide(frequency: { t in model.pitch * ratio * (1 + 0.25 * fall(t, 900)) }) { t in
          0.75 * level * fall(t, quick / model.ring) * rise(t, 0.0005)
        }
      }
      let wires = [
        Biquad.highPass(900, rate: rate), .bandPass(model.wireTone, q: 0.35, rate: rate),
      ]
      sound.addBurst(&random, filters: wires) { t in
        model.wires * (fall(t, 520) + 0.6 * fall(t, model.quick)) * rise(t, 0.0012)
      }
      sound.addBurst(&random, filters: [.bandPass(2100, q: 0.8, rate: rate)]) { t in
        model.crack * fall(t, 1500)
      }
      sound.addBurst(&random, filters: [.bandPass(1400, q: 0.3, rate: rate)]) { t in
        let isOpen = model.gate == 0 || t < model.gate
        return isOpen ? model.room * rise(t, 0.008) * fall(t, model.gate > 0 ? 30 : 95) : 0
      }
    }
  }

  /// A tom: its modes glide down a little; a synthetic one is a single tone that glides far.
  static func tom(
    _ seed: Int, pitch: Double = 130, glide: Double, quick: Double, noise: Double,
    synthetic: Bool = false
  ) -> Sound {
    stroke(0.7, seed: seed, loudness: -15) { sound, random in
      let modes =
        synthetic
        ? [(1.0, 1.0, 1.0)]
        : [(1.0, 1.0, 1.0), (1.59, 0.45, 2.0), (2.14, 0.3, 3.1), (2.65, 0.15, 4)]
      for (ratio, level, faster) in modes {
        sound.addGlide(frequency: { t in
          pitch * ratio * (1 + glide * fall(t, synthetic ? 55 : 130))
        }) { t in level * fall(t, quick * faster) * rise(t, 0.0008) }
      }
      sound.addBurst(&random, filters: tomStick) { t in
        noise * (0.9 * fall(t, 700) + 0.15 * fall(t, 150))
      }
    }
  }

  /// The metal of drum machines: six square waves through a high pass.
  static func machineHat(_ seed: Int, seconds: Double, quick: Double) -> Sound {
    stroke(seconds, seed: seed, loudness: -18) { sound, _ in
      for pitch in [205.3, 304.4, 369.6, 522.7, 540.0, 800.0] {
        var k = 1.0
        while k * pitch < 15500 {
          if k * pitch > 4200 {
            sound.add(k * pitch, phase: 0.1 * k) { t in
              rollon(k * pitch, 7600, order: 2) / k * (fall(t, quick) + 0.5 * fall(t, 900))
            }
          }
          k += 2
        }
      }
    }
  }

  static func machineCowbell() -> Sound {
    stroke(0.4, seed: 74, loudness: -18) { sound, _ in
      for pitch in [540.0, 800.0] {
        for k in [1.0, 3, 5, 7, 9] {
          sound.add(k * pitch, phase: 0) { t in
            resonance(k * pitch, at: 1300, width: 2400) / k * (fall(t, 300) + 0.4 * fall(t, 70))
          }
        }
      }
    }
  }

  static func machineSnare(_ seed: Int, tone: Double, snap: Double) -> Sound {
    stroke(0.28, seed: seed, loudness: -14) { sound, random in
      for (ratio, level) in [(1.0, 1.0), (1.83, 0.6)] {
        sound.addGlide(frequency: { t in tone * ratio * (1 + 0.5 * fall(t, 900)) }) { t in
          level * fall(t, 210)
        }
      }
      sound.addBurst(&random, filters: [.highPass(1800, rate: rate)]) { t in
        snap * (0.5 * fall(t, 700) + 0.5 * fall(t, 200))
      }
    }
  }

  /// A wire brush: a tap, a slap, or stirred round the skin.
  static func brush(_ seed: Int, seconds: Double, swell: Double, body: Double) -> Sound {
    stroke(seconds, seed: seed, loudness: -17) { sound, random in
      let filters = [
        Biquad.highPass(700, rate: rate), .bandPass(3400, q: 0.3, rate: rate),
      ]
      let quick = 44 / (seconds - swell)
      sound.addBurst(&random, filters: filters) { t in
        (t < swell ? t / swell : fall(t - swell, quick)) * (1 + 0.4 * stirring(t, seed))
      }
      for (ratio, quick) in [(1.0, 210.0), (1.8, 300)] {
        sound.addGlide(frequency: { t in 205 * ratio * (1 + 0.2 * fall(t, 900)) }) { t in
          body * fall(t, quick) * rise(t, 0.001)
        }
      }
    }
  }

  /// A slow wander for the hand that stirs, between -1 and 1.
  private static func stirring(_ time: Double, _ seed: Int) -> Double {
    PortableMath.sine(turns: 7.3 * time + 0.13 * Double(seed))
      * PortableMath.sine(turns: 2.9 * time)
  }

  /// The bass drum of an orchestra: large, soft, long.
  static func concertBassDrum(_ seed: Int, quick: Double) -> Sound {
    stroke(0.9, seed: seed, loudness: -14) { sound, random in
      for (f, level, faster) in [
        (46.0, 1.0, 1.0), (71, 0.7, 1.3), (96, 0.5, 1.7), (128, 0.3, 2.2), (171, 0.2, 3),
        (222, 0.12, 4),
      ] {
        sound.addGlide(frequency: { t in f * (1 + 0.06 * fall(t, 60)) }) { t in
          level * fall(t, quick * faster) * rise(t, 0.003)
        }
      }
      sound.addBurst(&random, filters: [.lowPass(700, rate: rate)]) { t in
        1.2 * fall(t, 260) * rise(t, 0.002)
      }
    }
  }

  /// Two shells of wood struck together, once or in a roll.
  static func castanets() -> Sound {
    stroke(0.12, seed: 93, loudness: -17) { sound, random in
      for at in [0.0, 0.012] {
        for (f, level) in [(1450.0, 1.0), (2620, 0.8), (3900, 0.4)] {
          sound.add(f, phase: 0) { t in t < at ? 0 : level * fall(t - at, 700) }
        }
        sound.addBurst(&random, filters: [.bandPass(3200, q: 0.7, rate: rate)]) { t in
          t < at ? 0 : 0.6 * fall(t - at, 1900)
        }
      }
    }
  }
}
