// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a program asks for a thread's priority where the system refuses it to the process itself,
/// such as RealtimeKit.
///
/// - Note: Control side only.
public enum PriorityService {
  /// Gives a thread a priority.
  ///
  /// It is called by whoever starts a `RealtimeThread`, and never on that thread: `thread` is the
  /// kernel's number of it, `wanted` 1…99. It returns the priority that the thread has now, or nil
  /// where it has none.
  public typealias Raise = @Sendable (_ thread: Int32, _ wanted: Int32) -> Int32?

  private static let service = Mutex<Raise?>(nil)

  /// Names what is asked from now on; nil for nothing, as at the start.
  public static func use(_ raise: Raise?) {
    service.withLock { $0 = raise }
  }

  /// Asks; the priority that was given, or nil.
  static func raise(_ wanted: Int32, _ thread: () -> Int32) -> Int32? {
    guard let raise = service.withLock({ $0 }) else { return nil }
    return raise(thread(), wanted)
  }
}
