// SPDX-License-Identifier: Apache-2.0

/// How a conversion picks an integer when the exact answer lies between two.
///
/// Use them in pairs: `ceil` out and `floor` back, or `nearest` out and `nearest` back.
public enum Rounding: String, Hashable, Sendable, CaseIterable {
  /// Toward minus infinity.
  case floor
  /// Toward plus infinity.
  case ceil
  /// To the nearest integer; a half goes away from zero.
  case nearest
  /// Not at all: a conversion that would have to round throws.
  case exact
}
