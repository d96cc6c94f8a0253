// SPDX-License-Identifier: Apache-2.0

/// The time for which a rendering continues after the release of the last note.
///
/// Later texts, tempo changes and ends of tracks do not make it longer, unless the tail is exact.
public enum RenderTail: Hashable, Sendable {
  /// Until the sound stays below −70 dBFS, but at most a minute.
  case auto
  /// Until the end of the longest track: later sound is cut off, and missing time is silence.
  case exact
  /// No tail: the sound is cut off.
  case none
  /// A number of seconds: later sound is cut off, and missing time is silence.
  case seconds(Double)
}
