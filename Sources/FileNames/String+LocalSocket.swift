// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension String {
  /// True if a process accepts connections on the local socket with this path.
  ///
  /// It connects and closes the connection at once, without waiting. A process with a full queue of
  /// connections counts as accepting. A path of 108 bytes or more, the limit of unix(7), is never
  /// accepted.
  ///
  /// - Note: Not real-time safe.
  package var isLocalSocketInUse: Bool {
    var address = sockaddr_un()
    let bytes = FileName.bytes(of: self)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let code = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return code == 0 || errno == EAGAIN
  }
}
