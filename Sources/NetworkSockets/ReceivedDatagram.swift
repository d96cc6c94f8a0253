// SPDX-License-Identifier: Apache-2.0

/// The information about a received datagram, without its bytes.
package struct ReceivedDatagram: Hashable, Sendable {
  /// The number of bytes that were written to the buffer.
  package let count: Int
  /// True if the datagram was longer than the buffer.
  package let isCut: Bool
  /// The sender's address, which can be forged.
  package let sender: SocketAddress
  /// The time of arrival at this machine, in nanoseconds of `CLOCK_MONOTONIC`.
  ///
  /// It is the kernel's time stamp or, without a plausible one, the time of reading.
  package let time: Int64
}
