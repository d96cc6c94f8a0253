// SPDX-License-Identifier: Apache-2.0

/// An instant as NTP writes it: seconds since 1900 in 32 bits, and their fraction in 32.
///
/// The one of value 1 means now.
package struct OSCTimeTag: Hashable, Sendable {
  /// The tag that means now.
  package static let immediately = OSCTimeTag(rawValue: 1)

  /// Seconds in the upper half, their 2³²nds in the lower.
  package let rawValue: UInt64

  /// Creates a tag from its 64 bits.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
