// SPDX-License-Identifier: Apache-2.0
package import NetworkSockets

/// Where others may reach a command over the network: `[HOST:]PORT`, on this machine alone where no
/// host is named.
package struct ListenAddress: CustomStringConvertible {
  /// The host as it was typed; nil for this machine alone.
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

  /// The place, where others can know it.
  ///
  /// - Parameter flag: what asks for it.
  /// - Returns: the place itself.
  /// - Throws: `ControlError.Kind.usage` for the port that the system would choose.
  package func known(_ flag: String) throws(ControlError) -> ListenAddress {
    guard port != 0 else {
      throw ControlError(.usage, "\(flag) \(self): the port must be 1…65535 (try 9000)")
    }
    return self
  }

  /// The addresses to listen at: at least one of the first kind must be had, the others may.
  ///
  /// - Throws: `NetworkError` where the host's name leads nowhere.
  package var addresses: [SocketAddress] {
    get throws(NetworkError) {
      guard host != nil else {
        return [IPAddress.loopbackV4, .loopbackV6].map { SocketAddress($0, port: port) }
      }
      return try HostName.resolve(description)
    }
  }

  /// Opens what listens at each address; those of another version of the protocol than the first,
  /// which the machine may not have, are left out where they cannot be had.
  ///
  /// - Parameter open: Opens one.
  /// - Throws: `NetworkError` where not even the first can be opened.
  package func open(_ open: (SocketAddress) throws(NetworkError) -> Void) throws(NetworkError) {
    let addresses = try addresses
    for (index, address) in addresses.enumerated() {
      do {
        try open(address)
      } catch {
        if index == 0 { throw error }
      }
      // A host of a name is listened for at its first address.
      if host != nil { return }
    }
  }
}
