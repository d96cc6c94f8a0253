// SPDX-License-Identifier: Apache-2.0

/// The two or three times by which the parties of a session compare their clocks.
///
/// All count 100 µs. The initiator says when it asks, the other when it was asked, the initiator
/// when it had the answer.
package struct ClockExchange: Hashable, Sendable {
  /// How many times came after the first, 0…2.
  package var step: UInt8
  /// When the initiator asked, on its clock.
  package var asked: UInt64
  /// When the other was asked, on the other's clock; 0 before step 1.
  package var answered: UInt64
  /// When the initiator had the answer, on its clock; 0 before step 2.
  package var heard: UInt64

  /// Creates an exchange that has come to a step.
  package init(step: UInt8, asked: UInt64, answered: UInt64 = 0, heard: UInt64 = 0) {
    (self.step, self.asked, self.answered, self.heard) = (step, asked, answered, heard)
  }

  /// By how much the other's clock is ahead of the initiator's, if both ways take equally long;
  /// exact, of a whole exchange.
  package var offset: Duration {
    Duration(
      attoseconds: (2 * Int128(answered) - Int128(asked) - Int128(heard)) * Self.halfUnit)
  }

  /// How long one way takes: half of what passed between asking and hearing; exact.
  package var latency: Duration {
    Duration(attoseconds: (Int128(heard) - Int128(asked)) * Self.halfUnit)
  }

  /// 50 µs.
  private static let halfUnit: Int128 = 50_000_000_000_000
}
