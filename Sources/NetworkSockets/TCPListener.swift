// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A socket on which others may begin connections; no call of it waits.
///
/// - Note: one thread at a time.
///
/// Source: tcp(7).
package struct TCPListener: ~Copyable {
  private let handle: SocketHandle

  /// Listens at an address.
  ///
  /// - Parameters:
  ///   - address: An address of this machine, or any; port 0 lets the system choose.
  ///   - waiting: How many may wait to be let in.
  /// - Throws: `NetworkError` where the address is taken, or none of this machine.
  package init(bind address: SocketAddress, waiting: Int32 = 64) throws(NetworkError) {
    let handle = try SocketHandle(family: address.family, SOCK_STREAM)
    // A port is free at once after its last program has ended.
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

  /// What becomes readable when somebody waits to be let in.
  package var descriptor: Int32 { handle.descriptor }

  /// Its address, with the port that the system chose.
  ///
  /// - Throws: `NetworkError.cannotSet` where the system does not say.
  package func localAddress() throws(NetworkError) -> SocketAddress {
    try handle.localAddress()
  }

  /// Lets the next one in; nil where none waits.
  ///
  /// - Returns: The connection.
  /// - Throws: `NetworkError.cannotReceive` where no descriptor is left: who waits goes on waiting.
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
      // One that has gone again before it was let in.
      case EINTR, ECONNABORTED, EPROTO: continue
      case let code: throw .cannotReceive(code: code)
      }
    }
  }
}
