// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// A thread of this process, also one that a library started, by the kernel's number.
///
/// The kernel gives the number of a thread that has ended to another only after all others.
///
/// - Note: Any thread; real-time safe.
public struct ThreadNumber: Sendable {
  /// The kernel's number, above zero.
  public let value: Int32

  /// Takes a number that was read before.
  public init(_ value: Int32) { self.value = value }

  /// The calling thread.
  public static var current: ThreadNumber { ThreadNumber(crealtime_thread_number()) }

  /// Whether the thread has not ended.
  public var runs: Bool { crealtime_thread_runs(value) != 0 }
}
