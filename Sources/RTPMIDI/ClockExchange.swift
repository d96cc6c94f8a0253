// SPDX-License-Identifier: Apache-2.0

/// The times with which two peers of a session compare their clocks, in units of 100 µs.
///
/// The initiator sends the time of its request, the other peer adds the time at which it answers,
/// and the initiator adds the time at which it received the answer.
package struct ClockExchange: Hashable, Sendable {
  /// The number of times after the first, 0…2.
  package var step: UInt8
  /// The time of the request, on the initiator's clock.
  package var asked: UInt64
  /// The time of the answer, on the other peer's clock; 0 before step 1.
  package var answered: UInt64
  /// The time at which the answer was received, on the initiator's clock; 0 before step 2.
  package var heard: UInt64

  /// Creates an exchange at a step.
  package init(step: UInt8, asked: UInt64, answered: UInt64 = 0, heard: UInt64 = 0) {
    (self.step, self.asked, self.answered, self.heard) = (step, asked, answered, heard)
  }

  /// The time by which the other clock is ahead of the initiator's; exact, for a complete exchange.
  ///
  /// It assumes that both directions take the same time.
  package var offset: Duration {
    Duration(
      attoseconds: (2 * Int128(answered) - Int128(asked) - Int128(heard)) * Self.halfUnit)
  }

  /// Half of the round-trip time; exact.
  package var latency: Duration {
    Duration(attoseconds: (Int128(heard) - Int128(asked)) * Self.halfUnit)
  }

  /// 50 µs.
  private static let halfUnit: Int128 = 50_000_000_000_000
}
