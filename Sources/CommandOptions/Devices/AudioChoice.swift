// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import JACKAudio

/// What sound is to go to, as `--audio` names it: `auto`, `jack`, `pipewire`, `alsa` for its standard
/// device, or another of ALSA's.
package enum AudioChoice: Equatable, ExpressibleByArgument {
  /// A server that runs and has a card, else ALSA's standard device.
  case auto
  /// The ports of a server: of the one that is named, or of the one that runs.
  case jack(JACKServer?, JACKTarget)
  /// A device of ALSA.
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

  /// Whether a text names a server, or something of one.
  package static func namesServer(_ text: String) -> Bool {
    if case .jack? = AudioChoice(argument: text) { true } else { false }
  }

  /// The wish in the words of a command line.
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
  /// The client that is meant; empty where none is.
  var clientName: String {
    if case .client(let name) = self { name } else { "" }
  }
}
