// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CommandKit
@testable import DownbeatCommand

@Suite struct NaturalOrderTests {
  private func sorted(_ names: [String]) -> [String] {
    names.map(NaturalOrder.init).sorted().map(\.name)
  }

  @Test func `numbers are compared as numbers, and case is ignored`() {
    let names = ["1.mid", "2.mid", "10.mid", "a", "B", "b2", "b10", "b10a"]
    #expect(sorted(names.reversed()) == names)
    #expect(sorted(["9999999999999999999999", "10000000000000000000000"]).first?.first == "9")
    #expect(sorted(["a", "A", "007", "7", "07"]) == ["007", "07", "7", "A", "a"])
  }

  @Test func `it is a total order of all names`() {
    var random = SplitMix(seed: 3)
    let alphabet = ["0", "1", "9", "a", "A", "b", ".", "é", "É", " "]
    let names = (0..<60).map { _ in
      let count = Int.random(in: 0..<6, using: &random)
      return NaturalOrder(
        name: (0..<count).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined())
    }
    for a in names {
      for b in names {
        #expect([a < b, b < a, a == b].count { $0 } == 1, "\(a.name) \(b.name)")
        for c in names where a < b && b < c { #expect(a < c, "\(a.name) \(b.name) \(c.name)") }
      }
    }
  }
}
