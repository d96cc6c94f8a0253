// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A service, such as RealtimeKit, that raises the priority of a thread if the process is not
/// allowed to do so.
///
/// - Note: Control side only.
public enum PriorityService {
  /// A function that raises the priority of a thread.
  ///
  /// The function is called on the thread that starts a `RealtimeThread`. `thread` is the kernel's
  /// ID of the new thread, and `wanted` is the requested priority, 1…99. The function returns the
  /// priority that the thread now has, or nil if the request was refused.
  public typealias Raise = @Sendable (_ thread: Int32, _ wanted: Int32) -> Int32?

  private static let service = Mutex<Raise?>(nil)

  /// Sets the function that later threads use; nil, the initial value, for none.
  public static func use(_ raise: Raise?) {
    service.withLock { $0 = raise }
  }

  /// Calls the service; returns the priority that was granted, or nil.
  static func raise(_ wanted: Int32, _ thread: () -> Int32) -> Int32? {
    guard let raise = service.withLock({ $0 }) else { return nil }
    return raise(thread(), wanted)
  }
}
