// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// What a client's ports are connected to.
public enum JACKTarget: Hashable, Sendable {
  /// The ports of the sound card, or of what the server has in place of one.
  case physical
  /// The ports of a client, in the server's order.
  case client(String)
  /// Nothing: whoever likes connects them.
  case none

  /// Reads the text behind `jack:`: empty for the card, `none`, or a client's name.
  public init(_ text: String) {
    self = text.isEmpty ? .physical : text == "none" ? .none : .client(text)
  }
}

extension JACKTarget {
  /// The target as it is written behind `jack`; empty for the card.
  var suffix: String {
    switch self {
    case .physical: ""
    case .none: ":none"
    case .client(let name): ":\(name)"
    }
  }

  /// The full names of its audio ports, of those that take sound or those that give it.
  func ports(
    of handle: JACKHandle, _ direction: JackPortFlags
  ) throws(JACKError) -> [String] {
    switch self {
    case .none: return []
    case .physical: return handle.ports(JACKHandle.audio, direction, JackPortIsPhysical)
    case .client(let name):
      let ports = handle.ports(JACKHandle.audio, direction, ofClient: name)
      guard ports.isEmpty else { return ports }
      let all = handle.ports(JACKHandle.audio, direction)
      let client = name.prefix { $0 != ":" } + ":"
      let own = all.filter { $0.hasPrefix(client) }
      throw .noSuchTarget(
        handle.server, name, candidates: own.isEmpty ? JACKClient.clients(all) : own)
    }
  }
}
