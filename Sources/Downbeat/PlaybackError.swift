// SPDX-License-Identifier: Apache-2.0

/// What can be wrong with what a playback is asked for.
public enum PlaybackError: Error, Hashable, Sendable {
  /// No destination has a name; the track that asks for it, counted from 0, is nil where a command
  /// does.
  case unknownDestination(String, track: Int?, available: [String])
  /// A track has a state for a unit that is not there or takes none; the track is counted from 0.
  case noState(unit: String?, track: Int)
  /// The output was started and has taken nothing since, for so long.
  case outputNeverBegan(after: Duration)
}

extension PlaybackError: CustomStringConvertible {
  /// The sentence for the user; tracks count from 1.
  public var description: String {
    switch self {
    case .unknownDestination(let name, let track, let available):
      (track.map { "track \($0 + 1): " } ?? "") + "unknown destination '\(name)' (available: "
        + available.map { "'\($0)'" }.joined(separator: ", ") + ")"
    case .noState(let unit, let track):
      "track \(track + 1): plug-in state cannot be restored: "
        + (unit.map { "'\($0)' does not support states" } ?? "the track needs a destination")
    case .outputNeverBegan(let time):
      "the output did not begin to play within \(time.components.seconds) s of its start"
        + " (choose another device, or start again)"
    }
  }
}
