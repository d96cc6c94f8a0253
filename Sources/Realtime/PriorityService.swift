// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A service that raises the priority of a thread if the system refuses it to the process, such as
/// RealtimeKit.
///
/// - Note: Control side only.
public enum PriorityService {
  /// Raises the priority of a thread.
  ///
  /// The thread that starts a `RealtimeThread` calls it. `thread` is the number of the new thread
  /// in the kernel, and `wanted` is 1…99. It returns the priority that the thread now has, or nil
  /// if it was refused.
  public typealias Raise = @Sendable (_ thread: Int32, _ wanted: Int32) -> Int32?

  private static let service = Mutex<Raise?>(nil)

  /// Sets the service from now on; nil, as at the start, for none.
  public static func use(_ raise: Raise?) {
    service.withLock { $0 = raise }
  }

  /// Calls the service; returns the priority that was granted, or nil.
  static func raise(_ wanted: Int32, _ thread: () -> Int32) -> Int32? {
    guard let raise = service.withLock({ $0 }) else { return nil }
    return raise(thread(), wanted)
  }
}
