// SPDX-License-Identifier: Apache-2.0

/// Which of several names a person means.
enum NameMatch {
  /// The places of the names that a text means: one where it is plain which, else all that could be
  /// meant; none where no name has it.
  ///
  /// The whole name comes first, then the one that has the text in it. Among several, it is the one
  /// that begins with the text, or the shortest of those that go on from it (`sustain`, not
  /// `sustain fine`), unless the text is a whole word of another. Upper and lower case are the same,
  /// and so are a blank, a hyphen and an underscore.
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
