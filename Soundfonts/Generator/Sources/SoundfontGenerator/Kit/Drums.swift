// SPDX-License-Identifier: Apache-2.0

/// The single strokes of the drum kit.
enum Drums {
  /// That of most sound devices: there a stroke at its own pitch is not interpolated.
  static let rate = 48000.0

  static func stroke(
    _ seconds: Double, seed: Int, rate: Double = Drums.rate, loudness: Double,
    _ build: (inout Sound, inout RandomSource) -> Void
  ) -> Sound {
    var sound = Sound(once: seconds, rate: rate)
    var random = RandomSource(seed: 2000 + seed)
    build(&sound, &random)
    sound.fadeOut(min(0.04, seconds / 3))
    return sound.levelled(to: loudness, over: 0.25)
  }

  private static func band(_ f: Double, _ q: Double) -> Biquad { .bandPass(f, q: q, rate: rate) }
  private static func high(_ f: Double) -> Biquad { .highPass(f, rate: rate) }
  private static func low(_ f: Double) -> Biquad { .lowPass(f, rate: rate) }

  static func kick(_ seed: Int, pitch: Double, click: Double) -> Sound {
    stroke(0.34, seed: seed, loudness: -13.5) { sound, random in
      sound.addGlide(frequency: { t in pitch * (1 + 0.4 * fall(t, 420) + 2 * fall(t, 2000)) }) {
        t in fall(t, 75) * rise(t, 0.0008) * max(0, 1 - t / 0.34)
      }
      sound.addBurst(&random, filters: [band(3200, 0.7)]) { t in 1.8 * click * fall(t, 1100) }
      sound.addBurst(&random, filters: [band(1100, 0.5)]) { t in
        click * (1.1 * fall(t, 620) + 0.08 * fall(t, 190))
      }
      sound.addBurst(&random, filters: [low(400)]) { t in 0.8 * fall(t, 380) }
      sound.shape { x in PortableMath.saturate(1.6 * x) }
    }
  }

  static func snare(_ seed: Int, pitch: Double, wires: Double, ring: Double) -> Sound {
    stroke(0.3, seed: seed, loudness: -14) { sound, random in
      for (ratio, level, quick) in [(1.0, 1.0, 190.0), (1.78, 0.7, 230), (2.4, 0.25, 300)] {
        sound.addGlide(frequency: { t in pitch * ratio * (1 + 0.25 * fall(t, 900)) }) { t in
          0.75 * level * fall(t, quick / ring) * rise(t, 0.0005)
        }
      }
      sound.addBurst(&random, filters: [high(900), band(4200, 0.35)]) { t in
        wires * (1.0 * fall(t, 520) + 0.6 * fall(t, 165)) * rise(t, 0.0012)
      }
      sound.addBurst(&random, filters: [band(2100, 0.8)]) { t in 1.4 * fall(t, 1500) }
    }
  }

  static func sideStick() -> Sound {
    stroke(0.12, seed: 3, loudness: -16) { sound, random in
      for (f, level, quick) in [(470.0, 0.5, 500.0), (1720, 1, 620), (2480, 0.4, 800)] {
        sound.add(f, phase: 0) { t in level * fall(t, quick) }
      }
      sound.addBurst(&random, filters: [band(3000, 0.5)]) { t in
        0.9 * fall(t, 1700) + 0.12 * fall(t, 420)
      }
      // The rim on the shell, and the stick's own ring.
      sound.addBurst(&random, filters: [band(760, 0.5)]) { t in 0.7 * fall(t, 640) }
      sound.addBurst(&random, filters: [band(6500, 0.6)]) { t in 0.6 * fall(t, 1300) }
    }
  }

  static func clap() -> Sound {
    stroke(0.3, seed: 4, loudness: -17) { sound, random in
      for (index, delay) in [0.0, 0.0105, 0.0215, 0.031].enumerated() {
        let last = index == 3
        sound.addBurst(&random, filters: [band(1250, 1.1), high(500)]) { t in
          t < delay ? 0 : fall(t - delay, last ? 210 : 900) * (last ? 1 : 0.85)
        }
      }
    }
  }

  /// A stick on a large skin, with hardly anything above 5 kHz: one stroke is played at up to ten
  /// pitches, and its images would be heard.
  static let tomStick = [band(900, 0.5), low(4500), low(4500)]

  static func tom() -> Sound {
    stroke(0.6, seed: 5, loudness: -15) { sound, random in
      for (ratio, level, quick) in [
        (1.0, 1.0, 64.0), (1.59, 0.5, 120), (2.14, 0.38, 170), (2.65, 0.25, 210),
        (3.16, 0.2, 250), (3.6, 0.16, 280), (4.15, 0.12, 320),
      ] {
        sound.addGlide(frequency: { t in 130 * ratio * (1 + 0.12 * fall(t, 90)) }) { t in
          level * fall(t, quick) * rise(t, 0.0008)
        }
      }
      sound.addBurst(&random, filters: tomStick) { t in
        2.8 * fall(t, 560) + 0.45 * fall(t, 150)
      }
    }
  }

  static func hat(_ seed: Int, seconds: Double, quick: Double, loudness: Double) -> Sound {
    stroke(seconds, seed: seed, loudness: loudness) { sound, random in
      sound.addPlate(&random, modes: 90, from: 3200, to: 16000) { f, t in
        0.2 * rollon(f, 5200, order: 2) * (fall(t, quick * (0.8 + f / 30000)) + 0.7 * fall(t, 900))
      }
      sound.addBurst(
        &random, filters: [.highPass(6500, rate: rate), .highPass(5000, rate: rate)]
      ) { t in 1.5 * fall(t, quick * 1.3) + 1.4 * fall(t, 1200) }
      sound.addBurst(&random, filters: [.bandPass(2600, q: 0.4, rate: rate)]) { t in
        1.1 * fall(t, 800) + 0.3 * fall(t, quick)
      }
      // The lower cymbal, which gives the chick its body.
      sound.addPlate(&random, modes: 40, from: 350, to: 3200) { f, t in
        0.16 * rollon(f, 700, order: 0.5) * (fall(t, 900) + 0.35 * fall(t, quick))
      }
    }
  }

  static func crash(_ seed: Int, seconds: Double, low: Double, quick: Double) -> Sound {
    stroke(seconds, seed: seed, loudness: -13) { sound, random in
      sound.addPlate(&random, modes: 220, from: low, to: 14500) { f, t in
        let speak = 0.004 + 0.03 * rolloff(f, 2500, order: 2)
        return 0.1 * rollon(f, 900, order: 0.7) * rise(t, speak)
          * (0.6 * fall(t, quick * (0.7 + f / 9000)) + 0.4 * fall(t, quick * 4))
      }
      sound.addBurst(&random, filters: [.highPass(3200, rate: rate)]) { t in
        0.9 * fall(t, quick * 2.2) * rise(t, 0.002) + 0.6 * fall(t, 700)
      }
      sound.fadeOut(seconds * 0.4)
    }
  }

  static func tambourine() -> Sound {
    stroke(0.3, seed: 9, loudness: -15) { sound, random in
      sound.addPlate(&random, modes: 50, from: 5200, to: 13500) { _, t in
        0.2 * (fall(t, 420) + 0.5 * fall(t, 130)) * (t > 0.014 ? 1 : 0.6)
      }
      sound.addBurst(&random, filters: [high(6000)]) { t in fall(t, 380) + 0.3 * fall(t, 140) }
    }
  }

  static func cowbell() -> Sound {
    stroke(0.3, seed: 10, loudness: -18) { sound, random in
      // The two plates it is bent from ring with each other, and each has modes of its own.
      for (f, level, quick) in [
        (562.0, 1.0, 95.0), (845, 0.95, 105), (1124, 0.3, 130), (1510, 0.4, 140), (1690, 0.5, 150),
        (2380, 0.6, 170), (2915, 0.45, 190), (3420, 0.6, 210), (4370, 0.45, 250), (5480, 0.4, 290),
        (6740, 0.3, 330), (8120, 0.22, 380),
      ] {
        sound.add(f, phase: 0.1) { t in level * (0.55 * fall(t, 420) + 0.45 * fall(t, quick)) }
        sound.add(f * 1.0075, phase: 0.4) { t in 0.3 * level * fall(t, quick) }
      }
      sound.addBurst(&random, filters: [band(2600, 0.5)]) { t in
        1.6 * fall(t, 1500) + 0.12 * fall(t, 260)
      }
      sound.addBurst(&random, filters: [band(420, 0.7)]) { t in 0.5 * fall(t, 420) }
      sound.shape { x in PortableMath.saturate(0.6 * x + 0.1) - PortableMath.saturate(0.1) }
    }
  }

  static func vibraslap() -> Sound {
    stroke(0.6, seed: 11, loudness: -16) { sound, random in
      var delay = 0.0
      while delay < 0.5 {
        let (at, level) = (delay, 0.6 + 0.4 * random.uniform())
        sound.addBurst(&random, filters: [band(2700, 5), high(800)]) { t in
          t < at ? 0 : level * fall(at, 34) * fall(t - at, 1900)
        }
        delay += 0.021 + 0.006 * random.uniform()
      }
    }
  }

  /// Bongos, congas and timbales: a skin, open, slapped or muted.
  static func hand(
    _ seed: Int, pitch: Double, quick: Double, slap: Double, metal: Double = 0
  ) -> Sound {
    stroke(min(0.45, 70 / quick), seed: seed, loudness: -17.5) { sound, random in
      for (ratio, level) in [(1.0, 1.0), (1.58, 0.35), (2.1, 0.3), (2.9, 0.15), (4.1, 0.08)] {
        sound.addGlide(frequency: { t in pitch * ratio * (1 + 0.08 * fall(t, 500)) }) { t in
          level * fall(t, quick * (0.6 + 0.4 * ratio)) * rise(t, 0.0004)
        }
      }
      if metal > 0 {
        for ratio in [5.2, 6.9, 8.3, 11.1] {
          sound.add(pitch * ratio, phase: 0) { t in 0.3 * metal * fall(t, quick * 0.8) }
        }
      }
      sound.addBurst(&random, filters: [band(1900, 0.45), low(6000)]) { t in
        slap * (1.9 * fall(t, 950) + 0.3 * fall(t, 330))
      }
      sound.addBurst(&random, filters: [band(3800, 0.6), low(6500)]) { t in
        0.8 * slap * fall(t, 1300)
      }
    }
  }

  static func agogo() -> Sound {
    stroke(0.55, seed: 12, loudness: -18) { sound, random in
      for (f, level, quick) in [
        (905.0, 1.0, 90.0), (1437, 0.5, 120), (1890, 0.3, 140), (2560, 0.9, 120), (3320, 0.4, 160),
        (4090, 0.8, 170), (5150, 0.4, 200), (6200, 0.6, 220), (8300, 0.35, 270),
      ] { sound.add(f, phase: 0) { t in level * fall(t, quick) * rise(t, 0.0003) } }
      sound.addBurst(&random, filters: [band(4500, 0.6), low(7000)]) { t in
        1.2 * fall(t, 1600) + 0.08 * fall(t, 300)
      }
    }
  }

  /// Shaken seeds: cabasa, maracas, shaker.
  static func shaker(_ seed: Int, seconds: Double, tone: Double, swell: Double) -> Sound {
    stroke(seconds, seed: seed, loudness: -15) { sound, random in
      sound.addBurst(&random, filters: [band(tone, 1.2), high(3000)]) { t in
        (t < swell ? t / swell : fall(t - swell, 420)) * 1
      }
    }
  }

  static func whistle(seconds: Double) -> Sound {
    stroke(seconds, seed: 14, loudness: -12) { sound, random in
      let trill = { (t: Double) in PortableMath.sine(turns: 38 * t) }
      sound.addGlide(frequency: { t in 2240 + 60 * trill(t) }) { t in
        rise(t, 0.006) * (0.75 + 0.25 * trill(t))
      }
      sound.addBurst(&random, filters: [band(2300, 1)]) { t in 0.25 * (0.7 + 0.3 * trill(t)) }
    }
  }

  static func guiro(seconds: Double, pace: Double) -> Sound {
    stroke(seconds, seed: 15, loudness: -17) { sound, random in
      var at = 0.0
      while at < seconds - 0.02 {
        let start = at
        sound.addBurst(&random, filters: [band(2600, 2.2), high(900)]) { t in
          t < start ? 0 : fall(t - start, 1600) * (0.5 + start / seconds)
        }
        at += pace * (1.25 - 0.5 * at / seconds)
      }
    }
  }

  static func claves() -> Sound {
    stroke(0.14, seed: 16, loudness: -15) { sound, _ in
      sound.add(2490, phase: 0) { t in fall(t, 430) * rise(t, 0.0003) }
      sound.add(4020, phase: 0) { t in 0.12 * fall(t, 700) }
    }
  }

  static func woodBlock() -> Sound {
    stroke(0.16, seed: 17, loudness: -20) { sound, random in
      for (f, level, quick) in [
        (820.0, 1.0, 420.0), (1390, 0.7, 480), (2530, 0.7, 620), (3410, 0.4, 800),
        (4660, 0.25, 1000),
      ] {
        sound.add(f, phase: 0) { t in level * fall(t, quick) * rise(t, 0.0003) }
      }
      sound.addBurst(&random, filters: [band(2000, 0.6), low(6000)]) { t in 1.6 * fall(t, 1700) }
    }
  }

  static func cuica(open: Bool) -> Sound {
    stroke(open ? 0.3 : 0.2, seed: 18, loudness: -14) { sound, random in
      let from = open ? 420.0 : 620
      let to = open ? 640.0 : 760
      let glide = { (t: Double) in from + (to - from) * min(1, t / 0.18) }
      for (ratio, level) in [(1.0, 1.0), (2, 0.5), (3, 0.35), (4, 0.15)] {
        sound.addGlide(frequency: { t in glide(t) * ratio }) { t in
          level * rise(t, 0.012) * fall(t, open ? 60 : 130)
        }
      }
      sound.addBurst(&random, filters: [.bandPass(1400, q: 1, rate: rate)]) { t in
        0.25 * rise(t, 0.01) * fall(t, 160)
      }
    }
  }

  static func mutedTriangle() -> Sound {
    stroke(0.18, seed: 19, loudness: -16) { sound, _ in
      for (f, level) in triangleModes {
        sound.add(f, phase: 0.25) { t in level * fall(t, 330 * (0.7 + f / 14000)) }
      }
    }
  }

  static func jingle() -> Sound {
    stroke(0.4, seed: 20, loudness: -16) { sound, random in
      for index in 0..<7 {
        let at = 0.028 * Double(index) + 0.01 * random.uniform()
        sound.addPlate(&random, modes: 9, from: 5800, to: 14500) { _, t in
          t < at ? 0 : 0.3 * fall(t - at, 170) * (1 - 0.08 * Double(index))
        }
      }
    }
  }

  /// A noise that is scratched, plucked or squeezed: the small effects below the kit.
  static func scratch(_ seed: Int, from: Double, to: Double, seconds: Double) -> Sound {
    stroke(seconds, seed: seed, loudness: -17) { sound, random in
      for ratio in [1.0, 2.03, 3.1] {
        sound.addGlide(frequency: { t in (from + (to - from) * t / seconds) * ratio }) { t in
          rise(t, 0.004) * max(0, 1 - t / seconds) / ratio
        }
      }
      sound.addBurst(&random, filters: [.bandPass(2000, q: 0.6, rate: rate)]) { t in
        0.8 * rise(t, 0.004) * max(0, 1 - t / seconds)
      }
    }
  }
}
