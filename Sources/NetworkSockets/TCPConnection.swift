// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A connection of which both ends read and write bytes; no call of it waits.
///
/// - Note: one thread at a time.
///
/// Source: tcp(7).
package struct TCPConnection: ~Copyable {
  /// What a read gave.
  package enum Received: Hashable, Sendable {
    /// So many bytes, at least one.
    case bytes(Int)
    /// Nothing yet.
    case nothing
    /// The other end writes no more, or is gone.
    case end
  }

  private let handle: SocketHandle

  /// Takes over a connection of a listener.
  init(owning descriptor: Int32) {
    handle = SocketHandle(owning: descriptor)
  }

  /// Begins a connection; it is there once `isConnected` says so.
  ///
  /// - Parameter address: Where to.
  /// - Throws: `NetworkError.cannotConnect` where the system refuses at once.
  package init(connectingTo address: SocketAddress) throws(NetworkError) {
    let handle = try SocketHandle(family: address.family, SOCK_STREAM)
    let descriptor = handle.descriptor
    let result = unsafe address.withSystem { unsafe connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else {
      throw .cannotConnect(address, code: errno)
    }
    self.handle = handle
  }

  /// What becomes readable when bytes or the end are there.
  package var descriptor: Int32 { handle.descriptor }

  /// Sends small pieces at once, for whoever waits for each.
  ///
  /// - Throws: `NetworkError.cannotSet`.
  package func sendAtOnce() throws(NetworkError) {
    try handle.set(Int32(IPPROTO_TCP), TCP_NODELAY, to: 1 as Int32, for: "no delay")
  }

  /// The address of this end.
  ///
  /// - Throws: `NetworkError.cannotSet` where there is none.
  package func localAddress() throws(NetworkError) -> SocketAddress {
    try handle.localAddress()
  }

  /// The address of the other end.
  ///
  /// - Throws: `NetworkError.cannotSet` where there is none yet, or none any more.
  package func peerAddress() throws(NetworkError) -> SocketAddress {
    try handle.peerAddress()
  }

  /// Whether bytes can be sent now: the connection is there and has room.
  package var isWritable: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&entry, 1, 0) == 1 else { return false }
    return Int32(entry.revents) & (POLLERR | POLLHUP) == 0
  }

  /// Whether it could not be made or has broken; asking clears it.
  package var failure: Int32? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0 ? nil : code
  }

  /// Ends what is sent; the other end may still send.
  package func endOutput() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Takes bytes that are there.
  ///
  /// - Parameter buffer: Where they go, from the first on.
  /// - Returns: How many, or why none.
  package func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      let flags = Int32(MSG_DONTWAIT)
      let count = unsafe recv(descriptor, &buffer, buffer.count, flags)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EAGAIN: return .nothing
      case EINTR: continue
      // Reset by the other end, or given up by the system.
      default: return .end
      }
    }
  }

  /// Sends as many bytes as there is room for.
  ///
  /// - Parameter bytes: What to send.
  /// - Returns: How many went, from the first on; nil where the other end is gone.
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
