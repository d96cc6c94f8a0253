// SPDX-License-Identifier: Apache-2.0

extension SampleBank {
  /// The brightness of a brass instrument: rising to its formant, then falling.
  private static func brassSpectrum(
    _ k: Double, _ f: Double, formant: Double, order: Double
  ) -> Double {
    (0.35 + rollon(f, formant * 0.55, order: 1)) * rolloff(f, formant, order: order)
      * (1 + 0.5 * resonance(f, at: formant, width: formant * 0.8))
  }

  private func brass(
    _ name: String, roots: [Int], rate: Double, formant: Double, order: Double, settings: Settings
  ) -> Voice {
    voice(name, roots: roots, settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: rate, lead: 0.13, loop: 0.3, onset: 0.014, later: 0.16, bite: 0.25,
          swell: 0.5, drift: 1.3,
          breath: 0.012, breathTone: formant * 1.5, chiff: 0.12, chiffTone: formant,
          chiffFall: 220)
      ) { k, f in Self.brassSpectrum(k, f, formant: formant, order: order) }
      return (made, Settings())
    }
  }

  func trumpet() -> Voice {
    brass(
      "Trumpet", roots: [52, 61, 70, 79, 88], rate: 28000, formant: 1500, order: 1.7,
      settings: Settings().volume(attack: 0.015, release: 0.2).effects(reverb: 16)
        .velocityDarkens(2400).velocitySlows(900).player(6, rate: 5.2, after: 0.5)
        .sweep(attack: 0.04, decay: 0.3, sustain: 0.6, filter: 100).velocityOpens(700))
  }

  func trombone() -> Voice {
    brass(
      "Trombone", roots: [34, 43, 52, 61, 71], rate: 22000, formant: 780, order: 1.6,
      settings: Settings().volume(attack: 0.02, release: 0.22).effects(reverb: 16)
        .velocityDarkens(2400).velocitySlows(900).player(4, rate: 4.9, after: 0.6)
        .sweep(attack: 0.05, decay: 0.3, sustain: 0.6, filter: 100).velocityOpens(600))
  }

  func horn() -> Voice {
    brass(
      "Horn", roots: [38, 48, 58, 68, 78], rate: 16000, formant: 480, order: 1.7,
      settings: Settings().volume(attack: 0.03, release: 0.3).effects(reverb: 24)
        .velocityDarkens(2000).velocitySlows(900).player(3, rate: 4.8, after: 0.6))
  }

  /// A trumpet with a harmon mute: the low partials gone, a sharp peak above.
  func mutedTrumpet() -> Voice {
    let settings = Settings().volume(attack: 0.012, release: 0.15).effects(reverb: 16)
      .velocityDarkens(1400).velocitySlows(900).player(6, rate: 5.3, after: 0.4)
    return voice("Muted Trumpet", roots: [56, 66, 76, 86], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          lead: 0.1, loop: 0.25, onset: 0.01, later: 0.06, bite: 0.2, drift: 1.3, breath: 0.02,
          breathTone: 3200, chiff: 0.15, chiffTone: 2600, chiffFall: 260)
      ) { k, f in
        (0.12 + resonance(f, at: 1700, width: 1000) + 0.22 * resonance(f, at: 4000, width: 1800))
          * rollon(f, 700, order: 0.6) * rolloff(f, 5200, order: 2)
      }
      return (made, Settings())
    }
  }

  func saxophone() -> Voice {
    let settings = Settings().volume(attack: 0.015, release: 0.18).effects(reverb: 14)
      .velocityDarkens(1800).velocitySlows(900)
      .player(8, rate: 5.1, after: 0.4, decibels: 1)
    return voice("Saxophone", roots: [39, 50, 61, 72, 83], settings: settings) {
      frequency, key in
      let shift = PortableMath.exp2((Double(key) - 60) / 40)
      let made = held(
        frequency, key,
        Held(
          rate: 26000, lead: 0.11, loop: 0.3, onset: 0.015, later: 0.05, bite: 0.3, swell: 0.8,
          drift: 2,
          breath: 0.035, breathTone: 2600, chiff: 0.3, chiffTone: 1800, chiffFall: 240)
      ) { k, f in
        let body =
          0.4 + resonance(f, at: 520 * shift, width: 420) + 0.9
          * resonance(f, at: 1150 * shift, width: 700) + 0.35
          * resonance(f, at: 2600 * shift, width: 1200)
        return body * rolloff(f, 3200, order: 1.3) / PortableMath.power(k, 0.55)
      }
      return (made, Settings())
    }
  }

  func oboe() -> Voice {
    let settings = Settings().volume(attack: 0.02, release: 0.18).effects(reverb: 18)
      .velocityDarkens(1200).velocitySlows(900)
      .player(8, rate: 5.4, after: 0.4, decibels: 0.8)
    return voice("Oboe", roots: [57, 66, 75, 84], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 28000, lead: 0.09, loop: 0.3, onset: 0.014, later: 0.02, bite: 0.15, swell: 0.6,
          drift: 1.5,
          breath: 0.012, breathTone: 3200, chiff: 0.12, chiffTone: 2600, chiffFall: 260)
      ) { k, f in
        (0.3 + 1.2 * resonance(f, at: 1050, width: 700) + 0.25 * resonance(f, at: 2800, width: 800))
          * rolloff(f, 2600, order: 2)
      }
      return (made, Settings())
    }
  }

  func bassoon() -> Voice {
    let settings = Settings().volume(attack: 0.02, release: 0.2).effects(reverb: 18)
      .velocityDarkens(1200).velocitySlows(900).player(5, rate: 5.0, after: 0.5)
    return voice("Bassoon", roots: [36, 45, 54, 64, 74], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 18000, lead: 0.1, loop: 0.3, onset: 0.016, later: 0.02, swell: 0.6, drift: 1.5,
          breath: 0.012, breathTone: 1800, chiff: 0.15, chiffTone: 1200, chiffFall: 240)
      ) { k, f in
        (0.2 + 1.4 * resonance(f, at: 470, width: 260) + 0.4 * resonance(f, at: 1150, width: 450))
          * rolloff(f, 1150, order: 1.6)
      }
      return (made, Settings())
    }
  }

  func clarinet() -> Voice {
    let settings = Settings().volume(attack: 0.02, release: 0.16).effects(reverb: 18)
      .velocityDarkens(1500).velocitySlows(900).player(3, rate: 4.8, after: 0.6)
    return voice("Clarinet", roots: [49, 58, 67, 76, 86], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 24000, lead: 0.1, loop: 0.25, onset: 0.018, later: 0.03,
          breath: 0.014, breathTone: 2400, chiff: 0.1, chiffTone: 1500, chiffFall: 240)
      ) { k, f in
        let odd = Int(k) % 2 == 1
        let even = 0.06 + 0.4 * rollon(f, 2400, order: 1.2)
        return (odd ? 1 : even) * rolloff(f, 1200, order: 1.25) / PortableMath.power(k, 0.3)
      }
      return (made, Settings())
    }
  }

  func flute() -> Voice {
    let settings = Settings().volume(attack: 0.06, release: 0.2).effects(reverb: 20)
      .velocityDarkens(1200).velocitySlows(900)
      .player(7, rate: 5.2, after: 0.35, decibels: 1.2, filter: 250)
    return voice("Flute", roots: [57, 66, 75, 84, 94], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 24000, lead: 0.12, loop: 0.35, onset: 0.025, later: 0.1, swell: 0.8, drift: 2,
          breath: 0.05, breathTone: min(5000, 2.6 * frequency), breathWidth: 0.6, rasp: 0.05,
          chiff: 0.5,
          chiffTone: min(6000, 3 * frequency), chiffFall: 220)
      ) { k, f in
        let table = [1, 0.62, 0.4, 0.2, 0.12, 0.07, 0.04, 0.02]
        return k <= 8 ? table[Int(k) - 1] : 0
      }
      return (made, Settings())
    }
  }

  /// Pipes with little but a fundamental: recorder, ocarina, whistle, bottle.
  func pipe() -> Voice {
    let settings = Settings().volume(attack: 0.02, release: 0.15).effects(reverb: 20)
      .velocitySlows(900).player(3, rate: 4.9, after: 0.5)
    return voice("Pipe", roots: [52, 64, 76, 88], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 22000, lead: 0.09, loop: 0.3, onset: 0.012, swell: 0.6, drift: 1.5, breath: 0.015,
          breathTone: min(5000, 3 * frequency), rasp: 0.03, chiff: 0.5,
          chiffTone: min(6000, 4 * frequency),
          chiffFall: 300)
      ) { k, _ in
        let table = [1, 0.06, 0.16, 0.02, 0.04]
        return k <= 5 ? table[Int(k) - 1] : 0
      }
      return (made, Settings())
    }
  }

  /// A free reed: harmonica, accordion, reed organ, bagpipe.
  func reed() -> Voice {
    let settings = Settings().volume(attack: 0.03, release: 0.15).effects(reverb: 14)
      .velocityDarkens(600)
    return voice("Reed", roots: [38, 49, 60, 71, 83], settings: settings) { frequency, key in
      let made = held(
        frequency, key,
        Held(
          rate: 28000, lead: 0.09, loop: 0.2, onset: 0.018, later: 0.02, swell: 0.4, drift: 0.8,
          sway: 1,
          breath: 0.012, breathTone: 3000)
      ) { k, f in
        let comb = Int(k) % 2 == 1 ? 1 : 0.72
        return comb * (0.5 + 0.8 * resonance(f, at: 1700, width: 1600))
          * rolloff(f, 4200, order: 1.4) / PortableMath.power(k, 0.6)
      }
      return (made, Settings())
    }
  }
}
