// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// The second process's access to its `SentinelProcess`: the shared memory and the messages of the
/// first process.
@safe
public struct SentinelDuty {
  /// The memory that both processes share; mapped until this process ends.
  public let memory: UnsafeMutableRawBufferPointer
  /// A descriptor that becomes readable when a message arrives, and when the first process has
  /// ended.
  public let descriptor: Int32

  /// Creates the duty if this process was started for the duty with this name; otherwise returns
  /// nil.
  ///
  /// From then on, only the signal KILL ends the process from outside, so that it can complete its
  /// duty.
  public init?(name: String) {
    guard ProcessArguments.all == [name] else { return nil }
    var status = stat()
    guard unsafe fstat(3, &status) == 0, status.st_size > 0 else { return nil }
    let count = Int(status.st_size)
    let bytes = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0)
    guard let bytes = unsafe bytes, unsafe bytes != MAP_FAILED else { return nil }
    unsafe memory = UnsafeMutableRawBufferPointer(start: bytes, count: count)
    descriptor = 4
    // A program started from /proc would have the name `exe`.
    unsafe crealtime_name_thread(name)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP] {
      signal(number, SIG_IGN)
    }
  }

  /// Ends the process immediately, without running other parts of the program.
  public static func end() -> Never {
    _exit(0)
  }

  /// Notifies the first process that this one is ready.
  public func sayReady() {
    var word: UInt8 = 1
    _ = unsafe send(descriptor, &word, 1, Int32(MSG_NOSIGNAL))
  }

  /// Waits for the next message.
  ///
  /// - Returns: The message; nil if the first process has ended and all of its messages were
  ///   returned.
  public func listen() -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 512)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(chunk[..<count]) : nil
    }
  }
}
