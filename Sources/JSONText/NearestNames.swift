// SPDX-License-Identifier: Apache-2.0

/// The names that a person may have meant by one that is not known.
package enum NearestNames {
  /// Up to three names that are near another, the nearest first; none where none is near.
  ///
  /// A name is near that begins with the other, or differs from it in a third of the letters of the
  /// shorter one at most. Upper and lower case are the same.
  ///
  /// - Complexity: O(n·m) in the lengths of the names, for each.
  package static func of(_ name: String, among names: [String]) -> [String] {
    let typed = Array(name.lowercased())
    // No name that is looked for is longer; a longer word is something else.
    guard !typed.isEmpty, typed.count <= longest else { return [] }
    let near = names.enumerated().compactMap { place, name -> (Int, Int, String)? in
      let known = Array(name.lowercased().prefix(longest + 1))
      guard known.count <= longest else { return nil }
      if known.starts(with: typed) { return (0, place, name) }
      let distance = distance(typed, known)
      return distance <= max(1, min(typed.count, known.count) / 3) ? (distance, place, name) : nil
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }

  /// The name that is nearest to another; nil where none is near.
  package static func nearest(to name: String, among names: [String]) -> String? {
    of(name, among: names).first
  }

  private static let longest = 256

  /// How many letters are to be changed, added, left out or exchanged with their neighbour.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let above = rows[i]
        var least = min(above[j] + (a[i] == b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
