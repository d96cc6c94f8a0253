// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension String {
  /// True if a process accepts connections on the local socket with this path.
  ///
  /// It connects and immediately closes the connection, without waiting. A process whose queue of
  /// connections is full counts as accepting. False for a path of 108 bytes or more, the limit of
  /// unix(7).
  ///
  /// - Note: Not real-time safe.
  package var isLocalSocketInUse: Bool {
    guard let address = LocalSocketAddress(path: self) else { return false }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return address.connect(descriptor) == 0 || errno == EAGAIN
  }
}
