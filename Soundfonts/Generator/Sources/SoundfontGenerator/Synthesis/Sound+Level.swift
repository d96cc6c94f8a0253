// SPDX-License-Identifier: Apache-2.0

extension Sound {
  /// The loudness over the first `seconds` in decibels: mean square after a filter that follows the ear
  /// (the two stages of ITU-R BS.1770).
  func loudness(over seconds: Double) -> Double {
    var heard = unrolled(seconds)
    Biquad.highPass(40, rate: rate).apply(to: &heard)
    Biquad.highShelf(1600, decibels: 4, rate: rate).apply(to: &heard)
    var sum = 1e-12
    for value in heard { sum += value * value }
    return PortableMath.decibels(gain: (sum / Double(max(1, heard.count))).squareRoot())
  }

  /// The sound at a loudness, or as near to it as full scale allows.
  func levelled(to decibels: Double, over seconds: Double = 0.6) -> Sound {
    let gain = PortableMath.gain(decibels: decibels - loudness(over: seconds))
    return scaled(by: min(gain, 0.97 / peak))
  }

  /// The sound with its highest peak at `level`.
  func normalised(to level: Double) -> Sound { scaled(by: level / peak) }

  /// The sound, softer where its highest peak would exceed full scale.
  var withinFullScale: Sound { scaled(by: min(1, 0.97 / peak)) }

  private var peak: Double {
    var peak = 1e-9
    for value in wave { peak = max(peak, abs(value)) }
    return peak
  }

  private func scaled(by gain: Double) -> Sound {
    var copy = self
    for index in copy.wave.indices { copy.wave[index] *= gain }
    return copy
  }
}
