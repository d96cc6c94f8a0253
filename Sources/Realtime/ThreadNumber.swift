// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// A thread of this process by its number in the kernel, also a thread that a library started.
///
/// The kernel reuses the number of a thread that has ended only after all other numbers.
///
/// - Note: Any thread; real-time safe.
public struct ThreadNumber: Sendable {
  /// The number in the kernel, above zero.
  public let value: Int32

  /// Creates a value from a number that was read before.
  public init(_ value: Int32) { self.value = value }

  /// The thread that calls this.
  public static var current: ThreadNumber { ThreadNumber(crealtime_thread_number()) }

  /// True if the thread has not ended.
  public var runs: Bool { crealtime_thread_runs(value) != 0 }
}
