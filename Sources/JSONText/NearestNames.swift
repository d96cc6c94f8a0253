// SPDX-License-Identifier: Apache-2.0

/// Finds similar names for suggestions.
package enum NearestNames {
  /// Up to three names that are similar to another, the most similar first.
  ///
  /// A name is similar if it begins with the other name (of two or more letters), or if it differs
  /// in at most a third of the letters of the shorter one. Exchanged neighbouring letters are the
  /// most similar, then a missing or extra letter, then a wrong letter, then a completion. A
  /// different first letter makes names less similar. Case and hyphens at the beginning are
  /// ignored.
  ///
  /// - Complexity: O(n·m) in the lengths of the names, for each.
  package static func of(_ name: String, among names: [String]) -> [String] {
    let typed = letters(of: name)
    // Known names are not longer; a longer word is something else.
    guard !typed.isEmpty, typed.count <= longest else { return [] }
    let near = names.enumerated().compactMap { place, name -> (Int, Int, String)? in
      cost(of: letters(of: name), typed).map { ($0, place, name) }
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }

  /// The most similar name; nil if none is similar.
  package static func nearest(to name: String, among names: [String]) -> String? {
    of(name, among: names).first
  }

  private static let longest = 256

  /// The letters to compare, at most one more than the longest name has.
  private static func letters(of name: String) -> [Character] {
    Array(name.lowercased().drop { $0 == "-" }.prefix(longest + 1))
  }

  /// The distance of a known name from the typed name, for sorting; nil if it is too great.
  private static func cost(of known: [Character], _ typed: [Character]) -> Int? {
    guard !known.isEmpty, known.count <= longest else { return nil }
    let distance = distance(typed, known)
    let edits = distance / oneEdit
    let (shorter, longer) = (min(typed.count, known.count), max(typed.count, known.count))
    var costs: [Int] = []
    if edits == 0 || edits * 3 <= shorter || edits == 1 && longer >= 3 { costs.append(distance) }
    if typed.count >= 2, known.starts(with: typed) { costs.append(completion) }
    return costs.min().map { typed[0] == known[0] ? $0 : $0 + otherStart }
  }

  /// The costs of an edit, of a wrong letter (added), of a completion, and of a different first
  /// letter.
  private static let (oneEdit, wrongLetter, completion, otherStart) = (100, 1, 150, 50)

  /// The cost of changing, adding, removing or exchanging letters.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [(0...b.count).map { $0 * oneEdit }]
    for i in a.indices {
      var row = [(i + 1) * oneEdit]
      for j in b.indices {
        let above = rows[i]
        var least = min(
          above[j] + (a[i] == b[j] ? 0 : oneEdit + wrongLetter), above[j + 1] + oneEdit,
          row[j] + oneEdit)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + oneEdit)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
