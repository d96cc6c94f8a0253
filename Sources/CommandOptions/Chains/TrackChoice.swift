// SPDX-License-Identifier: Apache-2.0

/// The value of `--on`: tracks, and an instrument or effect.
package struct TrackChoice {
  package let tracks: NamedTracks
  /// The text of the effect or instrument.
  package let text: String

  package init(parsing text: String) throws {
    (tracks, self.text) = try NamedTracks.split(text, "--on", "2='lv2:mda-epiano'")
  }
}
