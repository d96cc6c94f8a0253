// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc
internal import Synchronization

/// A POSIX thread that requests real-time (first-in-first-out) scheduling and reports the result.
///
/// If the system refuses the priority, `PriorityService` is tried. If that fails too, the thread
/// has normal scheduling, and `scheduling` contains the reason. Denormal numbers are treated as
/// zero.
///
/// - Note: Not real-time safe to create, join or destroy.
public final class RealtimeThread: Sendable {
  /// The scheduling that a thread obtained.
  public enum Scheduling: Hashable, Sendable {
    /// Real-time scheduling (first in, first out), with a priority of 1…99.
    case firstInFirstOut(priority: Int32)
    /// Real-time scheduling (round robin), with a priority of 1…99 that a service granted because
    /// the process is not allowed to set it.
    case raised(priority: Int32)
    /// Normal scheduling.
    ///
    /// The value is the error number of the refusal (usually `EPERM`), or 0 if a priority was not
    /// requested.
    case ordinary(refusal: Int32)

    /// The message for the user if a priority was refused; otherwise nil.
    public var refusal: String? {
      guard case .ordinary(let code) = self else { return nil }
      return "priority: real-time scheduling was refused: \(systemMessage(code))"
        + " (join the group audio, or raise rtprio in /etc/security/limits.d)"
    }
  }

  /// The scheduling that the thread obtained.
  public let scheduling: Scheduling
  private let handle: pthread_t
  private let joined = Atomic(false)

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: The name in debuggers and `top`, cut off after 15 bytes.
  ///   - priority: The priority to request, 1…99; nil for a thread without deadlines, such as one
  ///     that waits for a disk.
  ///   - body: Called on the thread, which ends when `body` returns.
  /// - Throws: `RealtimeError.cannotStartThread` if the system cannot start another thread.
  public init(
    name: String, priority: Int32?, _ body: @escaping @Sendable () -> Void
  ) throws(RealtimeError) {
    let start = Start(name: name, body: body)
    switch Self.create(start, priority: priority) {
    case .success(let thread):
      handle = thread
      scheduling = priority.map { .firstInFirstOut(priority: $0) } ?? .ordinary(refusal: 0)
    case .failure(let refusal):
      switch Self.create(start, priority: nil) {
      case .success(let thread):
        handle = thread
        let priority = priority.flatMap { wanted in
          PriorityService.raise(wanted) { start.waitForNumber() }
        }
        scheduling = priority.map { .raised(priority: $0) } ?? .ordinary(refusal: refusal.code)
      case .failure(let failure):
        throw .cannotStartThread(name: name, code: failure.code)
      }
    }
  }

  /// True if the calling code runs on this thread.
  public var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }

  /// Waits until the body has returned.
  ///
  /// - Precondition: Called once, from another thread. A thread that is not joined is detached.
  public func join() {
    precondition(!joined.exchange(true, ordering: .relaxed), "a thread can only be joined once")
    let code = pthread_join(handle, nil)
    precondition(code == 0, "a thread cannot join itself")
  }

  deinit {
    if !joined.load(ordering: .relaxed) { pthread_detach(handle) }
  }

  private struct Refusal: Error {
    let code: Int32
  }

  private static let stackBytes = 512 << 10

  private static func create(_ start: Start, priority: Int32?) -> Result<pthread_t, Refusal> {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    if let priority {
      unsafe pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
      unsafe pthread_attr_setschedpolicy(&attributes, SCHED_FIFO)
      var parameter = sched_param()
      parameter.sched_priority = priority
      unsafe pthread_attr_setschedparam(&attributes, &parameter)
    }
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(start)
    let code = unsafe pthread_create(&thread, &attributes, Self.main, box.toOpaque())
    guard code != 0 else { return .success(thread) }
    unsafe box.release()
    return .failure(Refusal(code: code))
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let box = unsafe $0 else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(box).takeRetainedValue()
    start.number.store(crealtime_thread_number(), ordering: .releasing)
    unsafe crealtime_name_thread(start.name)
    _ = DenormalFlush.begin()
    crealtime_use_stack()
    start.body()
    return nil
  }
}

/// The parameters of a new thread.
private final class Start: Sendable {
  let name: String
  let body: @Sendable () -> Void
  /// The number of the thread in the kernel; 0 before it runs.
  let number = Atomic<Int32>(0)

  /// Waits until the thread runs, and returns its number in the kernel.
  func waitForNumber() -> Int32 {
    while true {
      let number = number.load(ordering: .acquiring)
      if number != 0 { return number }
      usleep(100)
    }
  }

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}
