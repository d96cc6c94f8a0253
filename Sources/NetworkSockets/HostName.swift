// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Host names and their addresses.
package enum HostName {
  /// The name of this machine, or nil if it does not have one.
  package static var own: String? {
    // 64 bytes are enough for the longest name.
    var buffer = [CChar](repeating: 0, count: 65)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let name = String(decoding: bytes, as: UTF8.self)
    return name.isEmpty ? nil : name
  }

  /// Splits a text into host and port: `studio.local:5004`, `192.168.0.5`, `[::1]:5004`, `::1`.
  ///
  /// - Parameters:
  ///   - text: The user's text.
  ///   - defaultPort: The port if the text does not contain one; nil if it must contain one.
  /// - Returns: The host without brackets, and the port.
  /// - Throws: `NetworkError.badAddress` if the host or the port is missing.
  package static func split(
    _ text: String, defaultPort: UInt16? = nil
  ) throws(NetworkError) -> (host: String, port: UInt16) {
    var host = Substring(text)
    var rest: Substring?
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let tail = text[text.index(after: end)...]
      guard tail.isEmpty || tail.hasPrefix(":") else { throw .badAddress(text) }
      rest = tail.isEmpty ? nil : tail.dropFirst()
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      host = text[..<colon]
      rest = text[text.index(after: colon)...]
    }
    guard let port = rest.map({ UInt16($0) }) ?? defaultPort, !host.isEmpty else {
      throw .badAddress(text)
    }
    return (String(host), port)
  }

  /// Resolves a host name with a port.
  ///
  /// - Parameters:
  ///   - text: A name such as `studio.local:5004`, or a numeric address.
  ///   - defaultPort: The port if the text does not contain one; nil if it must contain one.
  /// - Returns: The addresses in order of preference; at least one.
  /// - Throws: `NetworkError` if the text is not valid or the name is unknown.
  /// - Note: Waits for the network unless the address is numeric.
  package static func resolve(
    _ text: String, defaultPort: UInt16? = nil
  ) throws(NetworkError) -> [SocketAddress] {
    let (host, port) = try split(text, defaultPort: defaultPort)
    if let address = IPAddress(host) { return [SocketAddress(address, port: port)] }
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { throw .unknownHost(host, reason: reason(code)) }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let system = unsafe entry.pointee.ai_addr,
        let address = unsafe SocketAddress(UnsafePointer(system))?.address
      {
        addresses.append(SocketAddress(address, port: port))
      }
      unsafe next = entry.pointee.ai_next
    }
    guard !addresses.isEmpty else {
      throw .unknownHost(host, reason: "it does not have an address")
    }
    return addresses
  }

  private static func reason(_ code: Int32) -> String {
    if code == EAI_SYSTEM { return systemMessage(errno) }
    guard let text = unsafe gai_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
