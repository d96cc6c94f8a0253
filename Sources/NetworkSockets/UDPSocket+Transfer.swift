// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension UDPSocket {
  /// Sends a datagram.
  ///
  /// - Parameters:
  ///   - bytes: The data; up to 1,472 bytes are usually not fragmented.
  ///   - address: The receiver.
  /// - Returns: False if the system's buffer is full.
  /// - Throws: `NetworkError.cannotSend` if the address cannot be reached.
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
      // An error of an earlier datagram, returned by its receiver, is reported once.
    } while code == EINTR || code == ECONNREFUSED
    if code == EAGAIN || code == ENOBUFS { return false }
    throw .cannotSend(address, code: code)
  }

  /// Receives the next datagram, if one is available.
  ///
  /// - Parameter buffer: The buffer, filled from its beginning. Bytes that do not fit are lost.
  /// - Returns: The information about the datagram; nil if none is available.
  /// - Throws: `NetworkError.cannotReceive` if the interface has disappeared.
  package mutating func receive(
    into buffer: inout [UInt8]
  ) throws(NetworkError) -> ReceivedDatagram? {
    while true {
      var arrival = Arrival()
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe arrival.take(descriptor, $0) }
      if count >= 0 {
        if let dropped = arrival.droppedCount { droppedCount = dropped }
        // The socket cannot receive from other address families.
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
