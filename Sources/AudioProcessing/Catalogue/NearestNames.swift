// SPDX-License-Identifier: Apache-2.0

/// The names that a person may have meant by one that is not known.
enum NearestNames {
  /// Up to three names that are near another, the nearest first; none where none is near.
  ///
  /// A name is near that begins with the other, or differs from it in a third of its letters at most.
  /// Upper and lower case are the same.
  ///
  /// - Complexity: O(n·m) in the lengths of the names, for each.
  static func of(_ name: String, among names: [String]) -> [String] {
    let typed = Array(name.lowercased().prefix(64))
    let near = names.enumerated().compactMap { place, name -> (Int, Int, String)? in
      let known = Array(name.lowercased())
      if !typed.isEmpty, known.starts(with: typed) { return (0, place, name) }
      let distance = distance(typed, known)
      return distance <= max(1, max(typed.count, known.count) / 3) ? (distance, place, name) : nil
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }

  /// How many letters are to be changed, added or left out.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for i in a.indices {
      var corner = row[0]
      row[0] = i + 1
      for j in b.indices {
        let changed = corner + (a[i] == b[j] ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, corner + 1)
      }
    }
    return row[b.count]
  }
}
