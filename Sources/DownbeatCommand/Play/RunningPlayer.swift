// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import PlayerControl

/// A running player, which was found by its socket.
struct RunningPlayer {
  let path: String
  /// The kind of player; `song` if it does not answer.
  let kind: PlayStatus.Kind
  /// The title of its song or sound; empty for none.
  let title: String

  /// Asks the player at a socket for its status.
  ///
  /// - Parameter path: The path of the socket.
  init(_ path: String) {
    self.path = path
    do {
      let status = try ControlClient(path: path).ask([.text(ControlVerb.status.rawValue)])
      kind = status[ControlProperty.kind.rawValue]?.string.flatMap(PlayStatus.Kind.init) ?? .song
      title = status[ControlProperty.title.rawValue]?.string ?? ""
    } catch {
      (kind, title) = (.song, "")
    }
  }

  /// A text about the player, such as `plays Clockwork Rag` or `is a synth`.
  var words: String { title.isEmpty ? "is a \(kind.rawValue)" : "plays \(title)" }
}
