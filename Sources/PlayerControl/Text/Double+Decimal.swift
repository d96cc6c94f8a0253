// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension Double {
  /// The number with the given number of decimals; `0` if it is not finite or is 10¹² or more.
  package func decimal(_ places: Int) -> String {
    guard isFinite, abs(self) < 1e12 else { return "0" }
    return Ratio(Int64((self * 1e6).rounded()), over: 1_000_000).decimal(places)
  }
}
