// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// Waits for an instant, for a descriptor, or for a wake-up from another thread.
///
/// - Note: One thread waits; any thread may wake it.
public final class DeadlineWait: Sendable {
  /// Why a wait ended.
  public enum Reason: Hashable, Sendable {
    /// The deadline came.
    case deadline
    /// Another thread called `wake`.
    case wakeUp
    /// A descriptor is readable; counted from 0 in the list given.
    case descriptor(Int)
  }

  private let event: Int32

  /// Creates a wait.
  ///
  /// - Throws: `RealtimeError.cannotMakeWakeUp` where no descriptor is left.
  public init() throws(RealtimeError) {
    event = crealtime_make_event()
    if event < 0 { throw .cannotMakeWakeUp(code: -event) }
  }

  deinit {
    close(event)
  }

  /// The descriptor that is readable from a call of `wake` until a wait has ended by it: for a
  /// thread that waits for several things at once.
  public var descriptor: Int32 { event }

  /// Nanoseconds of `CLOCK_MONOTONIC`, the clock that deadlines are counted on.
  public static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Ends the wait that is under way, or the next one.
  ///
  /// - Note: Safe in a signal handler; on a render thread it is a system call.
  public func wake() {
    var one: UInt64 = 1
    // Refused only when a wake-up is already pending, which is as good.
    _ = unsafe write(event, &one, MemoryLayout<UInt64>.size)
  }

  /// Waits until an instant, or for ever where it is nil.
  ///
  /// - Parameters:
  ///   - deadline: nanoseconds of `CLOCK_MONOTONIC`; one that is past returns at once.
  ///   - descriptors: descriptors to read from.
  /// - Returns: what ended the wait; a wake-up goes before a descriptor.
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

  /// Nanoseconds until a deadline; 0 if it is past, however far.
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
