// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import PlayerControl

/// A player that listens at a socket, and what it plays.
struct RunningPlayer {
  let path: String
  /// Its kind; a song if it does not answer.
  let kind: PlayStatus.Kind
  /// The title of its song or sound; empty if it has none.
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

  /// The title that it plays, or its kind: `plays Clockwork Rag`, `is a synth`.
  var words: String { title.isEmpty ? "is a \(kind.rawValue)" : "plays \(title)" }
}
