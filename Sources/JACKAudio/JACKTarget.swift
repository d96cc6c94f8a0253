// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// The ports to which a client connects its ports.
public enum JACKTarget: Hashable, Sendable {
  /// The ports of the sound card, or of a program that replaces it.
  case physical
  /// The ports of a client, in the server's order.
  case client(String)
  /// No ports; the user can connect the ports later.
  case none

  /// Creates a target from the part of a device name after `jack:`: empty for the sound card,
  /// `none`, or the name of a client.
  public init(_ text: String) {
    self = text.isEmpty ? .physical : text == "none" ? .none : .client(text)
  }
}

extension JACKTarget {
  /// The target as it is written after `jack`; empty for the card.
  var suffix: String {
    switch self {
    case .physical: ""
    case .none: ":none"
    case .client(let name): ":\(name)"
    }
  }

  /// The full names of its audio ports in one direction.
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
