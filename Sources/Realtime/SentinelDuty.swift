// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc

/// The second process's side of a `SentinelProcess`.
@safe
public struct SentinelDuty {
  /// The shared memory; it stays mapped to the end of the process.
  public let memory: UnsafeMutableRawBufferPointer
  /// The descriptor that becomes readable when something is told or the first process has ended.
  public let descriptor: Int32

  /// Takes up the duty of a name; nil where this process was not started for it.
  ///
  /// From then on only KILL ends the process from outside: its duty has an end of its own.
  public init?(name: String) {
    guard ProcessArguments.all == [name] else { return nil }
    var status = stat()
    guard unsafe fstat(3, &status) == 0, status.st_size > 0 else { return nil }
    let count = Int(status.st_size)
    let bytes = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0)
    guard let bytes = unsafe bytes, unsafe bytes != MAP_FAILED else { return nil }
    unsafe memory = UnsafeMutableRawBufferPointer(start: bytes, count: count)
    descriptor = 4
    // Started from /proc, it would be called `exe`.
    unsafe crealtime_name_thread(name)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP] {
      signal(number, SIG_IGN)
    }
  }

  /// Ends the process at once: nothing else of the program is to run in it.
  public static func end() -> Never {
    _exit(0)
  }

  /// Lets the first process know that this one is ready.
  public func sayReady() {
    var word: UInt8 = 1
    _ = unsafe send(descriptor, &word, 1, Int32(MSG_NOSIGNAL))
  }

  /// Waits for what is told next and returns it; nil once the first process has ended and
  /// everything it told was returned.
  public func listen() -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 512)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(chunk[..<count]) : nil
    }
  }
}
