// SPDX-License-Identifier: Apache-2.0

/// What a guardian is told: one of the ports sends to another's.
struct JACKGuardianFact: Hashable {
  /// Whose ports they are.
  let server: JACKServer
  /// Which of ours.
  let port: UInt8
  /// The full name of the other.
  let destination: String

  /// Its bytes: the server, the port, the name's length in two bytes, the lower first, and the name.
  var bytes: [UInt8] {
    let name = Array(destination.utf8.prefix(Int(UInt16.max)))
    return [server == .jack ? 0 : 1, port, UInt8(name.count & 0xFF), UInt8(name.count >> 8)] + name
  }
}

extension JACKGuardianFact {
  /// Takes the facts that are whole from the beginning of some bytes.
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
