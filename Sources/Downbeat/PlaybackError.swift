// SPDX-License-Identifier: Apache-2.0

/// The reason that a playback cannot be started or continued.
public enum PlaybackError: Error, Hashable, Sendable {
  /// No destination has this name.
  ///
  /// `track` is the track that uses the name, counted from 0; nil if a command uses it.
  case unknownDestination(String, track: Int?, available: [String])
  /// A track contains the saved state of a unit, but the unit is missing or cannot restore states.
  ///
  /// `track` is counted from 0.
  case noState(unit: String?, track: Int)
  /// The output was started but did not begin to play within the given time.
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
