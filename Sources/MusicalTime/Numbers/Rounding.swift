// SPDX-License-Identifier: Apache-2.0

/// The rounding of a conversion whose exact result is not an integer.
///
/// To convert a value and then convert it back, use `ceil` in one direction and `floor` in the
/// other, or `nearest` in both.
public enum Rounding: String, Hashable, Sendable, CaseIterable {
  /// Rounds toward negative infinity.
  case floor
  /// Rounds toward positive infinity.
  case ceil
  /// Rounds to the nearest integer; a half is rounded away from zero.
  case nearest
  /// Does not round.
  ///
  /// A conversion whose result is not an integer throws an error.
  case exact
}
