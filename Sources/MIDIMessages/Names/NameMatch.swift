// SPDX-License-Identifier: Apache-2.0

/// Finds the name that a user means among several.
enum NameMatch {
  /// The indices of the names that match a text.
  ///
  /// The result has one element if the text is unambiguous, otherwise all candidates. An exact
  /// match is preferred, then the only name that contains the text. Among several, it is the
  /// shortest name that begins with the text if all others are continuations of it (`sustain`, not
  /// `sustain fine`), unless the text is a whole word of another name. Case is ignored, and so are
  /// differences between spaces, hyphens and underscores.
  static func places(of text: String, in names: [String?]) -> [Int] {
    let wanted = words(text)
    guard !wanted.isEmpty else { return [] }
    let plain = names.map { $0.map(words) }
    if let exact = plain.firstIndex(of: wanted) { return [exact] }
    let found = plain.indices.filter { plain[$0]?.contains(wanted) == true }
    guard found.count > 1 else { return found }
    let beginning = found.filter { plain[$0]?.hasPrefix(wanted) == true }
    guard let shortest = beginning.min(by: { length(plain[$0]) < length(plain[$1]) }),
      beginning.allSatisfy({ plain[$0]?.hasPrefix(plain[shortest] ?? "") == true }),
      !found.contains(where: { " \(plain[$0] ?? "") ".contains(" \(wanted) ") })
    else { return found }
    return [shortest]
  }

  private static func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }

  private static func words(_ text: String) -> String {
    text.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: " ")
  }
}
