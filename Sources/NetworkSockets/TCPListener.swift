// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A socket that accepts TCP connections; its functions do not wait.
///
/// - Note: Use it from one thread at a time.
///
/// Source: tcp(7).
package struct TCPListener: ~Copyable {
  private let handle: SocketHandle

  /// Creates a listener at an address.
  ///
  /// - Parameters:
  ///   - address: An address of this machine, or all; port 0 lets the system choose.
  ///   - waiting: The most connections that can wait to be accepted; 64 by default.
  /// - Throws: `NetworkError` if the address is in use, or is not an address of this machine.
  package init(bind address: SocketAddress, waiting: Int32 = 64) throws(NetworkError) {
    let handle = try SocketHandle(family: address.family, SOCK_STREAM)
    // The port can be used immediately after its last program has ended.
    try handle.set(SOL_SOCKET, SO_REUSEADDR, to: 1 as Int32, for: "address reuse")
    if address.address.isV6 {
      try handle.set(
        Int32(IPPROTO_IPV6), UDPSocket.Option.onlyV6, to: 1 as Int32,
        for: "IPv6 only")
    }
    try handle.bind(to: address)
    guard listen(handle.descriptor, waiting) == 0 else {
      throw .cannotBind(address, code: errno)
    }
    self.handle = handle
  }

  /// The file descriptor that becomes readable when a connection waits to be accepted.
  package var descriptor: Int32 { handle.descriptor }

  /// The address, with the port that the system chose.
  ///
  /// - Throws: `NetworkError.cannotSet` if the system does not report it.
  package func localAddress() throws(NetworkError) -> SocketAddress {
    try handle.localAddress()
  }

  /// Accepts the next connection.
  ///
  /// - Returns: The connection; nil if none waits.
  /// - Throws: `NetworkError.cannotReceive` if no file descriptor is available. The connection
  ///   continues to wait.
  package func accept() throws(NetworkError) -> TCPConnection? {
    while true {
      let client = Glibc.accept(handle.descriptor, nil, nil)
      if client >= 0 {
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        return TCPConnection(owning: client)
      }
      switch errno {
      case EAGAIN: return nil
      // The connection has ended before it was accepted.
      case EINTR, ECONNABORTED, EPROTO: continue
      case let code: throw .cannotReceive(code: code)
      }
    }
  }
}
