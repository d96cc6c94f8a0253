// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets

/// An address at which a command listens on the network: `[HOST:]PORT`.
///
/// Without a host, only this machine can connect.
package struct ListenAddress: CustomStringConvertible {
  /// The host as it was typed; nil for this machine only.
  package let host: String?
  package let port: UInt16

  package init(host: String? = nil, port: UInt16) {
    (self.host, self.port) = (host, port)
  }

  package init?(argument: String) {
    if let port = UInt16(argument) {
      self.init(port: port)
      return
    }
    do {
      let (host, port) = try HostName.split(argument)
      self.init(host: host, port: port)
    } catch {
      return nil
    }
  }

  package var description: String {
    let host = host.map { $0.contains(":") ? "[\($0)]:" : "\($0):" }
    return "\(host ?? "")\(port)"
  }

  /// The address, if clients can know its port.
  ///
  /// - Parameter flag: The option that the address belongs to, for the error.
  /// - Returns: The address itself.
  /// - Throws: `ControlError.Kind.usage` for port 0, which the system would choose.
  package func known(_ flag: String) throws(ControlError) -> ListenAddress {
    guard port != 0 else {
      throw ControlError(.usage, "\(flag) \(self): the port must be 1…65535 (try 9000)")
    }
    return self
  }

  /// The addresses to listen at; only the first is required.
  ///
  /// - Throws: `NetworkError` if the name of the host cannot be resolved.
  package var addresses: [SocketAddress] {
    get throws(NetworkError) {
      guard host != nil else {
        return [IPAddress.loopbackV4, .loopbackV6].map { SocketAddress($0, port: port) }
      }
      return try HostName.resolve(description)
    }
  }

  /// Opens a listener at each address; an address after the first may fail, such as one of an IP
  /// version that the machine does not support.
  ///
  /// - Parameter open: Opens a listener at an address.
  /// - Throws: `NetworkError` if the first address cannot be opened.
  package func open(_ open: (SocketAddress) throws(NetworkError) -> Void) throws(NetworkError) {
    let addresses = try addresses
    for (index, address) in addresses.enumerated() {
      do {
        try open(address)
      } catch {
        if index == 0 { throw error }
      }
      // A named host is used with its first address only.
      if host != nil { return }
    }
  }
}
