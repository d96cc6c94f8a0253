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
  /// In a loop what is filled in comes from the loop alone, which goes round.
  func oversampled(_ factor: Int) -> Sound {
    guard factor > 1 else { return self }
    let kernel = Self.kernel(factor)
    let lead = wave[..<loopStart], loop = wave[loopStart...]
    guard loopLength > 0 else {
      let silence = [Double](repeating: 0, count: Self.reach)
      return Sound(
        self, oversampled: factor, wave: Self.fill(silence + wave + silence, kernel, factor))
    }
    let turns = Self.reach / loopLength + 1
    let round = Array(repeating: Array(loop), count: turns).flatMap { $0 }
    let before = [Double](repeating: 0, count: Self.reach) + lead
    let filled =
      Self.fill(before + (round + loop).prefix(Self.reach), kernel, factor)
      + Self.fill(round.suffix(Self.reach) + loop + round.prefix(Self.reach), kernel, factor)
    return Sound(self, oversampled: factor, wave: filled)
  }

  /// The frames between `reach` at either end, each with those that lie between it and the next.
  private static func fill(_ wave: [Double], _ kernel: [[Double]], _ factor: Int) -> [Double] {
    (0..<(wave.count - 2 * reach) * factor).map { place in
      let (frame, phase) = (place / factor + reach, place % factor)
      guard phase > 0 else { return wave[frame] }
      var sum = 0.0
      for offset in 1 - reach...reach {
        sum += wave[frame + offset] * kernel[phase][offset + reach - 1]
      }
      return sum
    }
  }

  private static let reach = 40

  /// For each phase a windowed sine cardinal over the frames around it; flat to 0.46 of the rate
  /// and 60 dB down at 0.54.
  private static func kernel(_ factor: Int) -> [[Double]] {
    (0..<factor).map { phase in
      (1 - reach...reach).map { offset in
        let x = Double(offset) - Double(phase) / Double(factor)
        guard abs(x) > 1e-12 else { return 1 }
        let turns = x / Double(2 * reach + 1)
        let window =
          0.42 + 0.5 * PortableMath.cosine(turns: turns)
          + 0.08 * PortableMath.cosine(turns: 2 * turns)
        return PortableMath.sine(turns: x / 2) / (PortableMath.pi * x) * window
      }
    }
  }
}
