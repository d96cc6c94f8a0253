// SPDX-License-Identifier: Apache-2.0

/// The names that a person may have meant by one that is not known.
package enum NearestNames {
  /// Up to three names that are near another, the nearest first; none if none is near.
  ///
  /// A name is near if it begins with the other, of two letters or more, or differs from it in at
  /// most a third of the letters of the shorter one. Two neighbouring letters in the wrong order are
  /// nearest, then a missing or extra letter, then a wrong letter, then the beginning of a name; a
  /// different first letter is farther. Case and leading dashes are ignored.
  ///
  /// - Complexity: O(n·m) in the lengths of the names, for each.
  package static func of(_ name: String, among names: [String]) -> [String] {
    let typed = letters(of: name)
    // No name that is looked for is longer; a longer word is something else.
    guard !typed.isEmpty, typed.count <= longest else { return [] }
    let near = names.enumerated().compactMap { place, name -> (Int, Int, String)? in
      cost(of: letters(of: name), typed).map { ($0, place, name) }
    }
    return near.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }

  /// The name that is nearest to another; nil if none is near.
  package static func nearest(to name: String, among names: [String]) -> String? {
    of(name, among: names).first
  }

  private static let longest = 256

  /// The letters that are compared, at most one more than the longest name has.
  private static func letters(of name: String) -> [Character] {
    Array(name.lowercased().drop { $0 == "-" }.prefix(longest + 1))
  }

  /// The distance of a name from the one typed, for sorting; nil if it is too far.
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

  /// The costs: of an edit; added for a wrong letter; of a completion; of another first letter.
  private static let (oneEdit, wrongLetter, completion, otherStart) = (100, 1, 150, 50)

  /// The cost of the letters to be changed, added, left out or exchanged with their neighbour.
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
