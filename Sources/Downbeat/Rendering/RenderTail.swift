// SPDX-License-Identifier: Apache-2.0

/// The end of a rendering, after the release of the last note.
///
/// Texts, tempo changes and ends of tracks after the last note do not make the rendering longer,
/// except with `exact`.
public enum RenderTail: Hashable, Sendable {
  /// The rendering ends when the sound stays below −70 dBFS, at most one minute after the last
  /// note.
  case auto
  /// The rendering ends at the end of the longest track.
  ///
  /// Later sound is cut off; if the sound ends earlier, silence follows.
  case exact
  /// The rendering ends at the release of the last note; the remaining sound is cut off.
  case none
  /// The rendering ends a number of seconds after the release of the last note.
  ///
  /// Later sound is cut off; if the sound ends earlier, silence follows.
  case seconds(Double)
}
