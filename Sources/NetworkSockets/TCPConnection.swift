// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A TCP connection; its functions do not wait.
///
/// - Note: Use it from one thread at a time.
///
/// Source: tcp(7).
package struct TCPConnection: ~Copyable {
  /// The result of reading.
  package enum Received: Hashable, Sendable {
    /// The number of bytes, at least one.
    case bytes(Int)
    /// No data is available yet.
    case nothing
    /// The peer has closed its side, or has disappeared.
    case end
  }

  private let handle: SocketHandle

  /// Takes ownership of a connection from a listener.
  init(owning descriptor: Int32) {
    handle = SocketHandle(owning: descriptor)
  }

  /// Begins to connect.
  ///
  /// The connection is established once `isWritable` is true.
  ///
  /// - Parameter address: The address of the peer.
  /// - Throws: `NetworkError.cannotConnect` if the system refuses immediately.
  package init(connectingTo address: SocketAddress) throws(NetworkError) {
    let handle = try SocketHandle(family: address.family, SOCK_STREAM)
    let descriptor = handle.descriptor
    let result = unsafe address.withSystem { unsafe connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else {
      throw .cannotConnect(address, code: errno)
    }
    self.handle = handle
  }

  /// The file descriptor that becomes readable when data arrives or the connection ends.
  package var descriptor: Int32 { handle.descriptor }

  /// Sends small amounts of data immediately, without collecting them (`TCP_NODELAY`).
  ///
  /// - Throws: `NetworkError.cannotSet`.
  package func sendAtOnce() throws(NetworkError) {
    try handle.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1 as Int32, for: "no delay")
  }

  /// The local address.
  ///
  /// - Throws: `NetworkError.cannotSet` if it is not known.
  package func localAddress() throws(NetworkError) -> SocketAddress {
    try handle.localAddress()
  }

  /// The address of the peer.
  ///
  /// - Throws: `NetworkError.cannotSet` if the connection is not established yet, or has ended.
  package func peerAddress() throws(NetworkError) -> SocketAddress {
    try handle.peerAddress()
  }

  /// True if data can be sent now: the connection is established and has room.
  package var isWritable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&entry, 1, 0) == 1 else { return false }
    return Int32(entry.revents) & (POLLERR | POLLHUP) == 0
  }

  /// The error number if the connection failed; reading it clears the error.
  package var failure: Int32? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0 ? nil : code
  }

  /// Closes the sending side.
  ///
  /// The peer can still send.
  package func endOutput() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Receives available data.
  ///
  /// - Parameter buffer: The buffer, filled from its beginning.
  /// - Returns: The number of bytes, or the reason for not receiving any.
  package func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      let flags = Int32(MSG_DONTWAIT)
      let count = unsafe recv(descriptor, &buffer, buffer.count, flags)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EAGAIN: return .nothing
      case EINTR: continue
      // Reset by the peer, or given up by the system.
      default: return .end
      }
    }
  }

  /// Sends as many bytes as there is room for.
  ///
  /// - Parameter bytes: The data.
  /// - Returns: The number of bytes sent, from the beginning; nil if the connection has ended.
  package func send(_ bytes: borrowing Span<UInt8>) -> Int? {
    while true {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        return unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
      }
      if count >= 0 { return count }
      switch errno {
      case EAGAIN: return 0
      case EINTR: continue
      default: return nil
      }
    }
  }
}
