// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import JACKAudio

/// The value of `--audio`: `auto`, `jack`, `pipewire`, `alsa` for ALSA's default device, or the
/// name of another ALSA device.
package enum AudioChoice: Equatable, ExpressibleByArgument {
  /// A running server with a sound card, or otherwise ALSA's default device.
  case auto
  /// The ports of a server; nil for the server that runs.
  case jack(JACKServer?, JACKTarget)
  /// An ALSA device.
  case alsa(String)

  package init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? String(parts[1]) : ""
    switch parts.first {
    case "auto" where parts.count == 1: self = .auto
    case "jack": self = .jack(nil, JACKTarget(rest))
    case "pipewire": self = .jack(.pipewire, JACKTarget(rest))
    case "alsa": self = .alsa(rest.isEmpty ? "default" : rest)
    default:
      guard !argument.isEmpty else { return nil }
      self = .alsa(argument)
    }
  }

  /// True if a text names a server, or a client of one.
  package static func namesServer(_ text: String) -> Bool {
    if case .jack? = AudioChoice(argument: text) { true } else { false }
  }

  /// The value as it is typed on the command line.
  package var text: String {
    switch self {
    case .auto: "auto"
    case .jack(let server, let target):
      (server?.word ?? JACKServer.jack.word)
        + (target == .physical ? "" : target == .none ? ":none" : ":\(target.clientName)")
    case .alsa(let name): Self(argument: name) == .alsa(name) ? name : "alsa:\(name)"
    }
  }

  package var defaultValueDescription: String { text }
}

extension JACKTarget {
  /// The name of the client; empty for none.
  var clientName: String {
    if case .client(let name) = self { name } else { "" }
  }
}
