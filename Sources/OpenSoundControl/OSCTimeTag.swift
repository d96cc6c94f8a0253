// SPDX-License-Identifier: Apache-2.0

/// A time in NTP format: 32 bits of seconds since 1900, and 32 bits of fraction.
///
/// The value 1 means "immediately".
package struct OSCTimeTag: Hashable, Sendable {
  /// The time tag that means "immediately".
  package static let immediately = OSCTimeTag(rawValue: 1)

  /// The seconds in the upper half, and their 2³²nds in the lower half.
  package let rawValue: UInt64

  /// Creates a tag from its 64 bits.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
