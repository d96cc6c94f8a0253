// SPDX-License-Identifier: Apache-2.0

/// How long a rendering goes on after the release of the last note.
///
/// Later texts, tempo changes and ends of tracks add nothing, unless the tail is exact.
public enum RenderTail: Hashable, Sendable {
  /// Until the sound is below −70 dBFS for good, a minute at most.
  case auto
  /// To the sequence's end, where its longest track ends: sound is cut there, silence is added.
  case exact
  /// Not at all: it is cut there.
  case none
  /// So many seconds: sound is cut then, silence is added.
  case seconds(Double)
}
