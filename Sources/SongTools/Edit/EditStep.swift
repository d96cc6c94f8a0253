// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandKit

/// One operation of `edit` as it was typed, with its range and its tracks.
package struct EditStep {
  package let text: String
  package let operation: EditOperation
  package let range: EditRange?
  package let tracks: TrackList?

  package init(parsing text: String) throws {
    self.text = text
    var words = try EditWords(text)
    range = try words.takeSetting("range").map(EditRange.init(parsing:))
    tracks = try words.takeSetting("track").map(TrackList.init(parsing:))
    operation = try EditOperation(&words)
    try words.expectEnd()
  }
}
