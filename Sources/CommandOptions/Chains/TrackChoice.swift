// SPDX-License-Identifier: Apache-2.0

/// What plays tracks, or what they go through.
package struct TrackChoice {
  package let tracks: NamedTracks
  /// The text of an effect or an instrument.
  package let text: String

  package init(parsing text: String) throws {
    (tracks, self.text) = try NamedTracks.split(text, "--on", "2='lv2:mda-epiano'")
  }
}
