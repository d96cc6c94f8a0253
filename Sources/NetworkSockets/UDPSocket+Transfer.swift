// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension UDPSocket {
  /// Sends a datagram.
  ///
  /// - Parameters:
  ///   - bytes: What it says; as a rule at most 1,472 bytes go whole.
  ///   - address: Where to.
  /// - Returns: Whether it went; false where the system has no room for it at present.
  /// - Throws: `NetworkError.cannotSend` where no way leads there.
  @discardableResult
  package func send(
    _ bytes: borrowing Span<UInt8>, to address: SocketAddress
  ) throws(NetworkError) -> Bool {
    var code: Int32 = 0
    repeat {
      let sent = unsafe bytes.withUnsafeBytes { bytes in
        unsafe address.withSystem { system, size in
          let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
          return Int32(
            unsafe sendto(descriptor, bytes.baseAddress, bytes.count, flags, system, size))
        }
      }
      if sent >= 0 { return true }
      code = errno
      // An error of an earlier datagram, which another's host has sent back, is told once.
    } while code == EINTR || code == ECONNREFUSED
    if code == EAGAIN || code == ENOBUFS { return false }
    throw .cannotSend(address, code: code)
  }

  /// Takes the next datagram, if one is there.
  ///
  /// - Parameter buffer: Where its bytes go, from the first on; what does not fit is lost.
  /// - Returns: What is known of it; nil where none is there.
  /// - Throws: `NetworkError.cannotReceive` where the interface is gone.
  package mutating func receive(
    into buffer: inout [UInt8]
  ) throws(NetworkError) -> ReceivedDatagram? {
    while true {
      var arrival = Arrival()
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe arrival.take(descriptor, $0) }
      if count >= 0 {
        if let dropped = arrival.droppedCount { droppedCount = dropped }
        // No other family comes to such a socket.
        guard let sender = arrival.sender else { continue }
        return ReceivedDatagram(
          count: count, isCut: arrival.isCut, sender: sender, time: arrival.time)
      }
      switch errno {
      case EAGAIN: return nil
      case EINTR, ECONNREFUSED: continue
      case let code: throw .cannotReceive(code: code)
      }
    }
  }
}
