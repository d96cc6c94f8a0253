// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Measures the loudness of two channels at 48 kHz by ITU-R BS.1770-4.
public struct LoudnessWitness: Sendable {
  /// The frames between two running sums.
  private static let step = 480
  /// 400 ms and 100 ms of running sums.
  private static let (block, hop) = (40, 10)

  /// The weighted power up to each step, in all channels.
  private let sums: [Double]

  /// Measures samples, −1…1, one array per channel.
  ///
  /// - Complexity: O(n) in the number of samples.
  public init(_ channels: [[Float]]) {
    var sums = [Double](repeating: 0, count: (channels.first?.count ?? 0) / Self.step + 1)
    for channel in channels {
      var filter = Weighting()
      var power = 0.0
      for (index, sample) in channel.enumerated() {
        let weighted = filter.process(Double(sample))
        power += weighted * weighted
        if (index + 1) % Self.step == 0 { sums[(index + 1) / Self.step] += power }
      }
    }
    self.sums = sums
  }

  /// The integrated loudness in LUFS; nil if all is below −70 LUFS.
  public var integrated: Double? {
    let audible = powers(every: Self.hop).filter { Self.level($0) > -70 }
    guard !audible.isEmpty else { return nil }
    let gate = Self.level(Self.mean(audible)) - 10
    return Self.level(Self.mean(audible.filter { Self.level($0) > gate }))
  }

  /// The loudest 400 ms in LUFS.
  public var momentary: Double { Self.level(powers(every: 1).max() ?? 0) }

  private func powers(every hop: Int) -> [Double] {
    stride(from: 0, to: sums.count - Self.block, by: hop).map { start in
      (sums[start + Self.block] - sums[start]) / Double(Self.block * Self.step)
    }
  }

  private static func mean(_ powers: [Double]) -> Double {
    powers.reduce(0, +) / Double(max(1, powers.count))
  }

  private static func level(_ power: Double) -> Double { -0.691 + 10 * log10(power + 1e-12) }

  /// The two filters of annex 1.
  private struct Weighting {
    private var shelf = (0.0, 0.0)
    private var high = (0.0, 0.0)

    mutating func process(_ x: Double) -> Double {
      let y = 1.53512485958697 * x + shelf.0
      shelf.0 = -2.69169619938638 * x + 1.69065929318241 * y + shelf.1
      shelf.1 = 1.19839281085285 * x - 0.73248077421585 * y
      let z = y + high.0
      high.0 = -2 * y + 1.99004745483398 * z + high.1
      high.1 = y - 0.99007225036621 * z
      return z
    }
  }
}
