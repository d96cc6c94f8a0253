// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// A second process of this program that detects when the first one ends, even after a crash.
///
/// The two processes share memory, which exists until both have ended, and a socket. Messages that
/// the first process has sent can still be read after its end. The second process is the same
/// program, started again in another session. Therefore `main` must first try to create a
/// `SentinelDuty`.
///
/// - Note: Any thread may call `tell(_:)`. Not real-time safe.
@safe
public final class SentinelProcess: @unchecked Sendable {
  /// The memory that both processes share, initially zero; valid while this object exists.
  public let memory: UnsafeMutableRawBufferPointer
  private let socket: Int32
  private let identifier: pid_t

  /// Starts the second process.
  ///
  /// - Parameters:
  ///   - name: The name of the duty, with which the second process calls `SentinelDuty(name:)`.
  ///   - byteCount: The size of the shared memory in bytes.
  /// - Throws: `RealtimeError.cannotStartSentinel`.
  public init(name: String, byteCount: Int) throws(RealtimeError) {
    let file = try Self.high(unsafe crealtime_make_memory(name, byteCount), name)
    defer { close(file) }
    let bytes = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let bytes = unsafe bytes, unsafe bytes != MAP_FAILED else {
      throw .cannotStartSentinel(name: name, code: errno)
    }
    unsafe memory = UnsafeMutableRawBufferPointer(start: bytes, count: byteCount)
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .cannotStartSentinel(name: name, code: errno)
    }
    socket = ends[0]
    let far = try Self.high(ends[1], name)
    defer { close(far) }
    identifier = unsafe crealtime_start_self(name, file, far)
    if identifier < 0 { throw .cannotStartSentinel(name: name, code: -identifier) }
  }

  /// Waits until the second process is ready, for at most a number of nanoseconds.
  ///
  /// - Returns: True if the process is ready.
  public func waitUntilReady(nanoseconds: Int64) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe crealtime_poll(&entry, 1, nanoseconds) > 0
  }

  /// Sends a message to the second process; does nothing if that has ended.
  public func tell(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes {
      _ = unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Ends the process, which acts as at the end of this one, and waits for it.
  deinit {
    close(socket)
    var status: Int32 = 0
    if identifier > 0 { while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {} }
    unsafe munmap(memory.baseAddress, memory.count)
  }

  /// Moves a descriptor above the numbers that the child uses, or throws for a negative error
  /// number.
  private static func high(_ descriptor: Int32, _ name: String) throws(RealtimeError) -> Int32 {
    guard descriptor >= 0 else { throw .cannotStartSentinel(name: name, code: -descriptor) }
    defer { close(descriptor) }
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    guard moved >= 0 else { throw .cannotStartSentinel(name: name, code: errno) }
    return moved
  }
}
