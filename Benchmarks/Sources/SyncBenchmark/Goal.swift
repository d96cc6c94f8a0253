// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A figure with its bound, what is aimed at beyond, and what another program has.
struct Goal {
  let name: String
  let value: Double
  let must: Double
  let stretch: Double?
  let rival: String

  init(
    _ name: String, _ value: Double, must: Double, stretch: Double? = nil, rival: String = ""
  ) {
    self.name = name
    self.value = value
    self.must = must
    self.stretch = stretch
    self.rival = rival
  }

  var isMet: Bool { value <= must }

  var row: String {
    let verdict = !isMet ? "MISSED" : value <= stretch ?? must ? "stretch" : "must"
    let aim = stretch.map { figure($0) } ?? ""
    return name.padded(46) + figure(value).padded(10) + figure(must).padded(9) + aim.padded(9)
      + verdict.padded(9) + rival
  }
}

/// A number as the tables show it.
func figure(_ value: Double, digits: Int = 3) -> String {
  if value.isInfinite { return "never" }
  return value.isNaN ? "-" : String(format: "%.\(digits)f", value)
}

extension String {
  func padded(_ length: Int) -> String {
    self + String(repeating: " ", count: Swift.max(1, length - count))
  }
}
