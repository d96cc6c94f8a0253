// SPDX-License-Identifier: Apache-2.0

/// Limits how often incoming data may wake a thread in each period.
///
/// A sender that floods a thread with data thus takes only a limited share of its time. When the
/// limit is reached, the thread leaves the descriptors out of its wait until the period is over,
/// and checks them when it wakes for other reasons.
package struct WakeLimit: Hashable, Sendable {
  /// The length of a period in nanoseconds: 20 ms.
  package static let period: Int64 = 20_000_000

  private let most: Int
  private var start: Int64?
  private var count = 0

  /// True if incoming data may wake the thread.
  package private(set) var isOpen = true

  /// Creates a limit.
  ///
  /// - Parameter most: The most wakes in a period.
  package init(most: Int) {
    self.most = most
  }

  /// Counts a check of the descriptors.
  ///
  /// - Parameter now: The time of any monotonic clock, in nanoseconds.
  package mutating func look(at now: Int64) {
    if start.map({ now - $0 >= Self.period }) ?? true { (start, count) = (now, 0) }
    count += 1
    isOpen = count < most
  }
}
