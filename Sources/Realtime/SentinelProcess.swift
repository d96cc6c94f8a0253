// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// A second process of this program, which learns of the first one's end however it comes.
///
/// The two share a piece of memory that outlives either, and a socket: what the first one tells
/// is still read after its end, and then comes the end of the stream. The second is the same
/// program, started anew in a session of its own; its `main` takes the duty up first of all
/// (`SentinelDuty`).
///
/// - Note: Any thread may tell. Not real-time safe.
@safe
public final class SentinelProcess: @unchecked Sendable {
  /// The shared memory, zero at first; it lives as long as this object.
  public let memory: UnsafeMutableRawBufferPointer
  private let socket: Int32
  private let identifier: pid_t

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - name: how it calls itself and how it knows its duty.
  ///   - byteCount: the size of the shared memory.
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

  /// Waits until the process has taken its duty up, or for some nanoseconds.
  ///
  /// - Returns: whether it has.
  public func waitUntilReady(nanoseconds: Int64) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe crealtime_poll(&entry, 1, nanoseconds) > 0
  }

  /// Tells the process something; does nothing where it is gone.
  public func tell(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes {
      _ = unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Ends the process, which does what it does at this one's end, and waits for it.
  deinit {
    close(socket)
    var status: Int32 = 0
    if identifier > 0 { while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {} }
    unsafe munmap(memory.baseAddress, memory.count)
  }

  /// Moves a descriptor, or a negative error number's failure, out of the way of the numbers that
  /// the child's are put on.
  private static func high(_ descriptor: Int32, _ name: String) throws(RealtimeError) -> Int32 {
    guard descriptor >= 0 else { throw .cannotStartSentinel(name: name, code: -descriptor) }
    defer { close(descriptor) }
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    guard moved >= 0 else { throw .cannotStartSentinel(name: name, code: errno) }
    return moved
  }
}
