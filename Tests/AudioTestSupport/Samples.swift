// SPDX-License-Identifier: Apache-2.0

/// Measurements of samples.
extension [Float] {
  /// The first sample above a level, or nil.
  package func onset(above level: Float = 1e-4) -> Int? { firstIndex { abs($0) > level } }

  package var peak: Float { reduce(0) { Swift.max($0, abs($1)) } }

  package var rms: Float {
    (reduce(0) { $0 + Double($1) * Double($1) } / Double(Swift.max(1, count))).squareRoot().float
  }

  /// The number of rising zero crossings.
  package var risingZeroCrossings: Int { zip(self, dropFirst()).count { $0 < 0 && $1 >= 0 } }
}

extension Double {
  fileprivate var float: Float { Float(self) }
}
