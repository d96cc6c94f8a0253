// SPDX-License-Identifier: Apache-2.0

/// Where datagrams or a connection go to or come from: an address and a port.
package struct SocketAddress: Hashable, Sendable {
  /// The address.
  package var address: IPAddress
  /// The port; 0 where the system is to choose one.
  package var port: UInt16

  /// Creates an address with a port.
  package init(_ address: IPAddress, port: UInt16) {
    (self.address, self.port) = (address, port)
  }

  /// Reads an address in digits with a port: `127.0.0.1:5004`, `[::1]:5004`.
  ///
  /// - Parameters:
  ///   - text: What a person typed.
  ///   - port: The port where the text names none.
  /// - Throws: `NetworkError.badAddress` for anything else; names of hosts are `HostName`'s.
  package init(parsing text: String, defaultPort port: UInt16? = nil) throws(NetworkError) {
    let (host, port) = try HostName.split(text, defaultPort: port)
    guard let address = IPAddress(host) else { throw .badAddress(text) }
    self.init(address, port: port)
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The address and the port, as they can be typed.
  package var description: String {
    address.isV6 ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
