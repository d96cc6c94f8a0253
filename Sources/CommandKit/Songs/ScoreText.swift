// SPDX-License-Identifier: Apache-2.0

/// Text that may be a score for `downbeat new` (Documentation/Notation.md).
enum ScoreText {
  /// The statements with which a score may begin, but other texts rarely do.
  private static let statements: Set<Substring> = [
    "title", "by", "copyright", "tempo", "meter", "key", "ppqn", "smpte", "format", "pattern",
  ]

  /// Checks whether a text begins like a score: with a statement, or with a part and its notes.
  ///
  /// - Parameters:
  ///   - bytes: The text, of which the first 4,096 bytes are read.
  ///   - path: The path of its file.
  /// - Returns: True if it begins in this way, or if the path ends in `.score`.
  static func isLikely(_ bytes: [UInt8], path: String) -> Bool {
    if path.lowercased().hasSuffix(".score") { return true }
    let lines = String(decoding: bytes.prefix(4096), as: UTF8.self).split { $0.isNewline }
    guard let first = lines.first(where: { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) })
    else { return false }
    let words = first.split { $0.isWhitespace }
    guard words.count > 1 else { return false }
    return statements.contains(words[0])
      || words[0].wholeMatch(of: /[A-Za-z]\w*:/) != nil && words.dropFirst().allSatisfy(isMusic)
  }

  /// Returns true if a word begins like notes, rests or their marks.
  private static func isMusic(_ word: Substring) -> Bool {
    word.first.map { "abcdefgr[](){}|<>@$".contains($0) } == true
  }
}
