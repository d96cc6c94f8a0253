// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The address of a local socket: a path in the file system.
///
/// - Note: Not real-time safe.
///
/// Source: unix(7).
package struct LocalSocketAddress {
  private var address = sockaddr_un()

  /// Creates the address of a path; nil if the path is too long.
  ///
  /// - Parameter path: The path of the socket, at most 107 bytes.
  package init?(path: String) {
    let bytes = FileName.bytes(of: path)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
  }

  /// Binds a socket to this address.
  ///
  /// - Parameter descriptor: The socket.
  /// - Returns: 0, or −1 with the error in `errno`.
  package func bind(_ descriptor: Int32) -> Int32 {
    unsafe withAddress { unsafe Glibc.bind(descriptor, $0, $1) }
  }

  /// Connects a socket to the socket with this address.
  ///
  /// - Parameter descriptor: The socket that is connected.
  /// - Returns: 0, or −1 with the error in `errno`.
  package func connect(_ descriptor: Int32) -> Int32 {
    unsafe withAddress { unsafe Glibc.connect(descriptor, $0, $1) }
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
