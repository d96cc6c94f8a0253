// SPDX-License-Identifier: Apache-2.0

/// The name of a peer, and of the session that it founded: eight random bytes.
package struct LinkID: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The bytes as a big-endian number, so that the order of numbers is that of the bytes.
  package let bits: UInt64

  /// Creates a name from its bytes.
  package init(bits: UInt64) {
    self.bits = bits
  }

  /// Returns true if the left name is lower, byte by byte.
  package static func < (left: LinkID, right: LinkID) -> Bool { left.bits < right.bits }
}

extension LinkID: CustomStringConvertible {
  /// The bytes as sixteen hexadecimal digits.
  package var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
