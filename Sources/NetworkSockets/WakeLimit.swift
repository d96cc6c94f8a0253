// SPDX-License-Identifier: Apache-2.0

/// How often others may wake a thread: so often in a while, and then not before it is over.
///
/// Who sends without an end takes a bounded part of the thread's time by that: what a thread waits
/// for is left out of its wait meanwhile, and looked at when it wakes by itself.
package struct WakeLimit: Hashable, Sendable {
  /// A while in nanoseconds.
  package static let period: Int64 = 20_000_000

  private let most: Int
  private var start: Int64?
  private var count = 0

  /// Whether the thread may be woken.
  package private(set) var isOpen = true

  /// Creates a limit.
  ///
  /// - Parameter most: How often it may be woken in a while.
  package init(most: Int) {
    self.most = most
  }

  /// Counts that the thread looks.
  ///
  /// - Parameter now: The time in nanoseconds, of any clock that only goes on.
  package mutating func look(at now: Int64) {
    if start.map({ now - $0 >= Self.period }) ?? true { (start, count) = (now, 0) }
    count += 1
    isOpen = count < most
  }
}
