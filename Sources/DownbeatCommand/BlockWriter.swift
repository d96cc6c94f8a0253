// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Standard output in large writes: what is appended is collected first.
struct BlockWriter {
  private static let size = 1 << 16

  /// What has been collected; append to it and call `pass`.
  var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(Self.size * 2)
  }

  /// Writes what has been collected, where it is enough for a write.
  mutating func pass() throws(Failure) {
    if bytes.count >= Self.size { try flush() }
  }

  /// Writes all that has been collected.
  mutating func flush() throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        let reason = unsafe String(cString: strerror(errno))
        throw Failure(.ioError, "standard output: cannot be written: \(reason)")
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
