// SPDX-License-Identifier: Apache-2.0

/// An error in the setup of a playback, or of its output.
public enum PlaybackError: Error, Hashable, Sendable {
  /// No destination has the name; `track` is the track that names it, counted from 0, or nil if a
  /// command does.
  case unknownDestination(String, track: Int?, available: [String])
  /// A track has a saved state for a unit that is missing or does not support states; `track` is
  /// counted from 0.
  case noState(unit: String?, track: Int)
  /// The output did not begin to play within the given time of its start.
  case outputNeverBegan(after: Duration)
}

extension PlaybackError: CustomStringConvertible {
  /// The error message; tracks are counted from 1.
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
