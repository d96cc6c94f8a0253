// SPDX-License-Identifier: Apache-2.0

/// The value of `--bus`: a bus and an effect on it.
package struct BusChoice {
  package let name: String
  /// The text of the effect, as it was typed.
  package let text: String

  package init(parsing text: String) throws {
    let (name, rest) = try NamedTracks.split(text, "--bus", "hall='reverb mix=1'")
    (self.name, self.text) = (name.text, rest)
  }
}
