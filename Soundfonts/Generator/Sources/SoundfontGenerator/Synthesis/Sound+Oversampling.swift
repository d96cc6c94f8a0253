// SPDX-License-Identifier: Apache-2.0

extension Sound {
  /// The sound at the lowest multiple of its rate that keeps interpolation images `below` (in
  /// decibels), wherever within `reach` semitones of its pitch it is played.
  func oversampled(below limit: Double = -62, reach: Int = 6) -> Sound {
    let spectrum = Spectrum(loopLength > 0 ? unrolled(Double(wave.count + 4096) / rate) : wave)
    for factor in 1...6 {
      let rate = Double(storedRate * factor)
      let isClean = (-reach...reach).allSatisfy {
        spectrum.images(rate: rate, factor: factor, semitones: Double($0)) < limit
      }
      if isClean { return oversampled(factor) }
    }
    return oversampled(6)
  }

  /// The sound at a multiple of its rate.
  ///
  /// A loop goes on through its seam, so that what is filled in there fits it too.
  func oversampled(_ factor: Int) -> Sound {
    guard factor > 1 else { return self }
    let kernel = Self.kernel(factor)
    let extended = loopLength > 0 ? unrolled(Double(wave.count + Self.reach + 1) / rate) : wave
    let count = wave.count * factor
    let filled = (0..<count).map { place in
      let (frame, phase) = (place / factor, place % factor)
      guard phase > 0 else { return wave[frame] }
      var sum = 0.0
      for offset in 1 - Self.reach...Self.reach where extended.indices.contains(frame + offset) {
        sum += extended[frame + offset] * kernel[phase][offset + Self.reach - 1]
      }
      return sum
    }
    return Sound(self, oversampled: factor, wave: filled)
  }

  private static let reach = 40

  /// For each phase a windowed sine cardinal over the frames around it; flat to 0.46 of the rate.
  private static func kernel(_ factor: Int) -> [[Double]] {
    (0..<factor).map { phase in
      (1 - reach...reach).map { offset in
        let x = Double(offset) - Double(phase) / Double(factor)
        guard abs(x) > 1e-12 else { return 1 }
        let window = 0.5 + 0.5 * PortableMath.cosine(turns: x / Double(2 * reach + 1))
        return PortableMath.sine(turns: x / 2) / (PortableMath.pi * x) * window
      }
    }
  }
}
