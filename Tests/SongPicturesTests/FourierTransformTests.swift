// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SongPictures

@Suite struct FourierTransformTests {
  /// The transform as its definition has it.
  private func discrete(_ real: [Double], _ imaginary: [Double]) -> [(Double, Double)] {
    real.indices.map { bin in
      real.indices.reduce(into: (0.0, 0.0)) { sum, place in
        let turn = -2 * Double.pi * Double(bin * place % real.count) / Double(real.count)
        sum.0 += real[place] * cos(turn) - imaginary[place] * sin(turn)
        sum.1 += real[place] * sin(turn) + imaginary[place] * cos(turn)
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8, 64, 512])
  func `it is the discrete transform`(count: Int) {
    var state: UInt64 = 7
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24) - 0.5
    }
    var (real, imaginary) = ((0..<count).map { _ in next() }, (0..<count).map { _ in next() })
    let expected = discrete(real, imaginary)
    FourierTransform(count: count).transform(&real, &imaginary)
    for bin in 0..<count {
      #expect(abs(real[bin] - expected[bin].0) < 1e-10)
      #expect(abs(imaginary[bin] - expected[bin].1) < 1e-10)
    }
  }
}
