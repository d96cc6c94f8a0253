// SPDX-License-Identifier: Apache-2.0

/// Eight random bytes that name a peer, or the session that it founded.
package struct LinkID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The bytes, the first one highest, so that the lesser number is the lesser name byte by byte.
  package let bits: UInt64

  /// Creates a name from its bytes.
  package init(bits: UInt64) {
    self.bits = bits
  }

  /// Whether a name comes before another, byte by byte.
  package static func < (left: LinkID, right: LinkID) -> Bool { left.bits < right.bits }
}

extension LinkID: CustomStringConvertible {
  /// The bytes as sixteen hexadecimal digits.
  package var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
