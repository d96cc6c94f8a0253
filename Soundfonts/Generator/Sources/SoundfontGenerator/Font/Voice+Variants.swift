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

  /// The voice answering at every velocity.
  var atEveryVelocity: Voice {
    var copy = self
    for index in copy.zones.indices { copy.zones[index].velocities = 0...127 }
    return copy
  }
}
