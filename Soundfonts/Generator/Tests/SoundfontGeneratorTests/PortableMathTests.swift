// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SoundfontGenerator

@Suite struct PortableMathTests {
  @Test func `the sine is the C library's to fourteen places`() {
    for step in -3000...3000 {
      let turns = Double(step) / 777
      let difference = abs(PortableMath.sine(turns: turns) - sin(2 * Double.pi * turns))
      #expect(difference < 1e-13)
    }
  }

  @Test func `powers and logarithms of two are the C library's to fourteen places`() {
    for step in -2000...2000 {
      let x = Double(step) / 97
      #expect(abs(PortableMath.exp2(x) / exp2(x) - 1) < 1e-14)
      #expect(abs(PortableMath.log2(exp2(x)) - x) < 1e-13)
    }
  }

  @Test func `key 69 is 440 hertz and an octave doubles`() {
    #expect(PortableMath.frequency(key: 69) == 440)
    #expect(PortableMath.frequency(key: 81) == 880)
  }
}
