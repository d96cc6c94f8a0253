// SPDX-License-Identifier: Apache-2.0

/// The address of a socket: an IP address and a port.
package struct SocketAddress: Hashable, Sendable {
  /// The IP address.
  package var address: IPAddress
  /// The port; 0 lets the system choose one.
  package var port: UInt16

  /// Creates an address with a port.
  package init(_ address: IPAddress, port: UInt16) {
    (self.address, self.port) = (address, port)
  }

  /// Parses a numeric address with a port: `127.0.0.1:5004`, `[::1]:5004`.
  ///
  /// - Parameters:
  ///   - text: The user's text.
  ///   - port: The port if the text does not contain one.
  /// - Throws: `NetworkError.badAddress` for any other text. For host names use `HostName`.
  package init(parsing text: String, defaultPort port: UInt16? = nil) throws(NetworkError) {
    let (host, port) = try HostName.split(text, defaultPort: port)
    guard let address = IPAddress(host) else { throw .badAddress(text) }
    self.init(address, port: port)
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The address and port, in the form that can be parsed.
  package var description: String {
    address.isV6 ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
