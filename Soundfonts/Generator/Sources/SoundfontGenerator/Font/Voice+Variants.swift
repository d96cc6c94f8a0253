// SPDX-License-Identifier: Apache-2.0

extension Voice {
  /// The voice sounding `semitones` higher, each key with the sample that lies nearest.
  func transposed(_ semitones: Int) -> Voice {
    var copy = self
    copy.zones = zones.compactMap { zone in
      var zone = zone
      let low = zone.keys.lowerBound == 0 ? 0 : zone.keys.lowerBound - semitones
      let high = zone.keys.upperBound == 127 ? 127 : zone.keys.upperBound - semitones
      guard high >= 0, low <= 127, low <= high else { return nil }
      zone.keys = max(0, low)...min(127, high)
      zone.settings = zone.settings.with(.coarseTune, semitones)
      return zone
    }
    return copy
  }

  /// The voice starting at another moment of its loop: a `part` of the loop further on.
  ///
  /// The moment lies whole periods later, so that the two together are not thinner than one.
  func begun(later part: Double, in bank: SampleBank) -> Voice {
    var copy = self
    for index in zones.indices where zones[index].looped {
      let sound = bank.samples[zones[index].sample].sound
      let frames = sound.rate / sound.fundamental
      let periods = (part * Double(sound.loopLength) / frames).rounded(.down)
      copy.zones[index].settings = zones[index].settings
        .with(.startOffset, min(32000, Int((periods * frames).rounded())))
    }
    return copy
  }

  /// The voice falling by so many decibels a second, by the key of each sample.
  func falling(_ perSecond: (Double) -> Double) -> Voice {
    var copy = self
    for index in zones.indices {
      copy.zones[index].settings = zones[index].settings
        .decay(100 / perSecond(Double(zones[index].rootKey)))
    }
    return copy
  }

  /// The voice answering at every velocity.
  var atEveryVelocity: Voice { answering(to: 0...127) }

  /// The voice answering at some velocities.
  func answering(to velocities: ClosedRange<Int>) -> Voice {
    var copy = self
    for index in copy.zones.indices { copy.zones[index].velocities = velocities }
    return copy
  }

  /// The voice twice, left and right, so many cents above and below its pitch.
  ///
  /// One is softer and further out: two that are equally loud beat until nothing is left.
  func pair(cents: Int, _ settings: Settings) -> [Layer] {
    [
      Layer(self, settings.pan(-0.25).tuned(cents: cents)),
      Layer(self, settings.pan(0.5).tuned(cents: -cents).evenSofter(4)),
    ]
  }
}
