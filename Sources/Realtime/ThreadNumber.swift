// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// A thread of this process, identified by its kernel thread ID; a library may have started it.
///
/// The kernel reuses the ID of a thread that has ended only after all other IDs.
///
/// - Note: Any thread; real-time safe.
public struct ThreadNumber: Sendable {
  /// The kernel thread ID, above zero.
  public let value: Int32

  /// Creates a value from a kernel thread ID that was read before.
  public init(_ value: Int32) { self.value = value }

  /// The calling thread.
  public static var current: ThreadNumber { ThreadNumber(crealtime_thread_number()) }

  /// True if the thread has not ended yet.
  public var runs: Bool { crealtime_thread_runs(value) != 0 }
}
