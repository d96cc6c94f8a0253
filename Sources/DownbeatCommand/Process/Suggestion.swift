// SPDX-License-Identifier: Apache-2.0

/// What a person may have meant by a word that is not known.
enum Suggestion {
  /// The word nearest to another among several; nil where none is near.
  ///
  /// Upper and lower case are the same.
  static func nearest(to word: String, among words: [String]) -> String? {
    let typed = Array(word.lowercased())
    let distances = words.map { (word: $0, distance: distance(typed, Array($0.lowercased()))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(typed.count, best.word.count) / 3) ? best.word : nil
  }

  /// How many characters are to be changed, added, left out or exchanged with their neighbour.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    // No name that is looked for is longer; a longer word is something else.
    guard a.count <= 256, b.count <= 256 else { return .max }
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
