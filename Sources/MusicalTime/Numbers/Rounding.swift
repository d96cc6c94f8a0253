// SPDX-License-Identifier: Apache-2.0

/// The rounding of a conversion whose exact result is not an integer.
///
/// For a conversion and its inverse use `ceil` and `floor`, or `nearest` in both directions.
public enum Rounding: String, Hashable, Sendable, CaseIterable {
  /// Toward negative infinity.
  case floor
  /// Toward positive infinity.
  case ceil
  /// To the nearest integer; a half is rounded away from zero.
  case nearest
  /// No rounding: a conversion whose result is not an integer throws.
  case exact
}
