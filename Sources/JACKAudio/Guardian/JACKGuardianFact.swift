// SPDX-License-Identifier: Apache-2.0

/// A message to a guardian: a port of ours is connected to another program's port.
struct JACKGuardianFact: Hashable {
  /// The server of the ports.
  let server: JACKServer
  /// The number of our port.
  let port: UInt8
  /// The full name of the other port.
  let destination: String

  /// The bytes: the server, the port, the length of the name in two bytes (low byte first), and the
  /// name.
  var bytes: [UInt8] {
    let name = Array(destination.utf8.prefix(Int(UInt16.max)))
    return [server == .jack ? 0 : 1, port, UInt8(name.count & 0xFF), UInt8(name.count >> 8)] + name
  }
}

extension JACKGuardianFact {
  /// Removes the complete messages from the start of some bytes and returns them.
  static func take(from bytes: inout [UInt8]) -> [JACKGuardianFact] {
    var facts: [JACKGuardianFact] = []
    var rest = bytes[...]
    while rest.count >= 4 {
      let head = Array(rest.prefix(4))
      let count = Int(head[2]) | Int(head[3]) << 8
      guard rest.count >= 4 + count else { break }
      let name = String(decoding: rest.dropFirst(4).prefix(count), as: UTF8.self)
      facts.append(
        JACKGuardianFact(
          server: head[0] == 0 ? .jack : .pipewire, port: head[1], destination: name))
      rest = rest.dropFirst(4 + count)
    }
    bytes = Array(rest)
    return facts
  }
}
