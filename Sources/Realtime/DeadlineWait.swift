// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// Waits for an instant, a file descriptor, or a wake-up from another thread.
///
/// - Note: Only one thread may wait; any thread may wake it.
public final class DeadlineWait: Sendable {
  /// The reason that a wait ended.
  public enum Reason: Hashable, Sendable {
    /// The deadline has passed.
    case deadline
    /// Another thread called `wake`.
    case wakeUp
    /// A descriptor is readable; the value is its index in the given list.
    case descriptor(Int)
  }

  private let event: Int32

  /// Creates an object on which one thread can wait.
  ///
  /// - Throws: `RealtimeError.cannotMakeWakeUp` if the process cannot open another file descriptor.
  public init() throws(RealtimeError) {
    event = crealtime_make_event()
    if event < 0 { throw .cannotMakeWakeUp(code: -event) }
  }

  deinit {
    close(event)
  }

  /// A descriptor that becomes readable when `wake()` is called, and unreadable when a wait has
  /// ended because of that call.
  ///
  /// Use it in a thread that waits for several objects in another way, such as `poll`.
  public var descriptor: Int32 { event }

  /// The current time in nanoseconds of `CLOCK_MONOTONIC`, on which deadlines are based.
  public static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Ends the wait that is in progress, or else the next one.
  ///
  /// - Note: Safe in a signal handler. On a render thread it is a system call.
  public func wake() {
    var one: UInt64 = 1
    // Fails only if a wake-up is already pending, which is just as good.
    _ = unsafe write(event, &one, MemoryLayout<UInt64>.size)
  }

  /// Waits until a deadline, a wake-up, or until a descriptor is readable.
  ///
  /// - Parameters:
  ///   - deadline: The deadline in nanoseconds of `CLOCK_MONOTONIC`, or nil for no limit. If the
  ///     deadline has passed, the call returns immediately.
  ///   - descriptors: The descriptors that end the wait when they are readable; none by default.
  /// - Returns: The reason that the wait ended; a wake-up has priority over a descriptor.
  /// - Complexity: O(n) in the number of descriptors.
  public func wait(until deadline: Int64?, readable descriptors: [Int32] = []) -> Reason {
    unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: descriptors.count + 1) { list in
      unsafe list.initializeElement(at: 0, to: Self.entry(event))
      for (index, descriptor) in descriptors.enumerated() {
        unsafe list.initializeElement(at: index + 1, to: Self.entry(descriptor))
      }
      return unsafe wait(until: deadline, on: list)
    }
  }

  private func wait(
    until deadline: Int64?, on list: UnsafeMutableBufferPointer<pollfd>
  ) -> Reason {
    while true {
      let distance = deadline.map { Self.distance(to: $0) } ?? -1
      let ready = unsafe crealtime_poll(list.baseAddress, UInt(list.count), distance)
      if ready == 0 { return .deadline }
      // Interrupted by a signal: look at the clock again.
      guard ready > 0 else { continue }
      if unsafe list[0].revents != 0 {
        forget()
        return .wakeUp
      }
      if let index = unsafe list.firstIndex(where: { $0.revents != 0 }) {
        return .descriptor(index - 1)
      }
    }
  }

  /// Nanoseconds until a deadline; 0 if it has passed.
  private static func distance(to deadline: Int64) -> Int64 {
    let now = now
    return deadline > now ? deadline - now : 0
  }

  private static func entry(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  private func forget() {
    var count: UInt64 = 0
    _ = unsafe read(event, &count, MemoryLayout<UInt64>.size)
  }
}
