// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// The state of a process, as the kernel reports it.
enum ProcessState {
  /// True if a signal, such as Ctrl-Z, has stopped a process; false if that is unknown.
  ///
  /// - Parameter process: The number of the process.
  /// - Returns: True if it is stopped.
  static func isStopped(_ process: Int32) -> Bool {
    let file = "/proc/\(process)/stat".withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe read(file, &bytes, bytes.count)
    // The state follows the name, which is in parentheses and may contain parentheses.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")),
      end + 2 < count
    else { return false }
    return bytes[end + 2] == UInt8(ascii: "T")
  }
}
