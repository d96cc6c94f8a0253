// SPDX-License-Identifier: Apache-2.0

/// What is known of a datagram beside its bytes.
package struct ReceivedDatagram: Hashable, Sendable {
  /// How many bytes were written to the buffer.
  package let count: Int
  /// Whether it was longer than the buffer.
  package let isCut: Bool
  /// Who sent it, as far as one may believe it.
  package let sender: SocketAddress
  /// When it came to this machine, in nanoseconds of `CLOCK_MONOTONIC`: as the kernel stamped it,
  /// or when it was read where there is no stamp that makes sense.
  package let time: Int64
}
