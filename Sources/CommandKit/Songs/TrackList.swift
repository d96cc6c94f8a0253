// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// A list of track numbers, counted from 1: `2`, `1,3-5`.
package struct TrackList {
  /// The indices of the tracks, from 0.
  package let indices: [Int]

  package init(parsing text: String) throws {
    var found: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard let first = ends.first, let last = ends.last, ends.count <= 2, first > 0,
        last >= first, last <= 65535
      else {
        throw ValidationError(
          "tracks '\(text)': must be track numbers, 1 or higher (try 2 or 1,3-5)")
      }
      found += first - 1..<last
    }
    indices = found
  }
}
