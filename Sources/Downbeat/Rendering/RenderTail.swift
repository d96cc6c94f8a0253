// SPDX-License-Identifier: Apache-2.0

/// How the sound ends after a song's last event.
public enum RenderTail: Hashable, Sendable {
  /// It rings out, a minute at most.
  case auto
  /// It is cut, or silence is added, at the sequence's end, where its longest track ends.
  case exact
  /// It is cut at the last event.
  case none
  /// It is cut so many seconds after the sequence's end, or silence is added until then.
  case seconds(Double)
}
