// SPDX-License-Identifier: Apache-2.0

/// Errors for words that are not values, with the words to write instead.
extension TOMLNumber {
  /// The reason why a word is not a value, and the word to write instead.
  ///
  /// - Parameter word: A word of letters, digits, signs, points, colons and underscores.
  /// - Returns: The error without the word.
  static func fault(of word: String) -> String {
    if looksLikeTime(word) {
      return "dates and times are not supported (write \"\(word)\" for a string)"
    }
    let small = word.lowercased()
    if small != word, ["true", "false"].contains(small) || value(small).isName {
      return "must be lower case (write \(small))"
    }
    guard let digits = corrected(small) else {
      return "not a value (write \"\(word)\" for a string)"
    }
    guard value(digits) != nil else {
      return digits.contains(where: { ".e".contains($0) })
        ? "too large (at most 1.79e308)" : "too large (at most 9223372036854775807)"
    }
    return "\(reason(small, word)) (write \(digits))"
  }

  private static func reason(_ small: String, _ word: String) -> String {
    let digits = small.replacing("_", with: "")
    let unsigned = digits.drop { "+-".contains($0) }
    if value(digits) != nil, value(small) == nil {
      return "underscores are only allowed between digits"
    }
    if let prefix = ["0x", "0o", "0b"].first(where: { unsigned.hasPrefix($0) }) {
      return unsigned.count < digits.count
        ? "a sign is not allowed before \(prefix)" : "\(prefix) must be lower case"
    }
    if unsigned.first == "0", unsigned.dropFirst().first?.isNumber ?? false {
      return "zeros at the start are not allowed"
    }
    return digits.hasSuffix("e") || digits.hasSuffix("e+") || digits.hasSuffix("e-")
      ? "digits are missing after e" : "a point needs digits on both sides"
  }

  /// True for a word that starts like a date or a time: `1979-05` or `07:32`.
  private static func looksLikeTime(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    let count = bytes.prefix { isDigit($0) }.count
    guard count < bytes.count else { return false }
    return count == 4 && bytes[4] == UInt8(ascii: "-")
      || count == 2 && bytes[2] == UInt8(ascii: ":")
  }

  /// The correct form of a word that is nearly a number.
  ///
  /// - Parameter word: A word in lower case.
  /// - Returns: The number, or nil if the word is not nearly a number.
  private static func corrected(_ word: String) -> String? {
    var digits = word.replacing("_", with: "")[...]
    let sign = digits.first == "-" ? "-" : digits.first == "+" ? "+" : ""
    digits = digits.dropFirst(sign.count)
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
      let rest = digits.dropFirst(2)
      guard !rest.isEmpty, rest.utf8.allSatisfy({ isDigit($0, radix: radix) }) else { return nil }
      // Negative numbers must be decimal.
      return sign == "-" ? Int(rest, radix: radix).map { "\(-$0)" } : String(digits)
    }
    let halves = digits.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
      parts.allSatisfy({ $0.utf8.allSatisfy { isDigit($0) } })
    else { return nil }
    var number = sign + (parts[0].drop { $0 == "0" })
    if number == sign { number += "0" }
    if parts.count == 2 { number += parts[1].isEmpty ? ".0" : ".\(parts[1])" }
    guard halves.count == 2 else { return number }
    let exponent = halves[1].drop { "+-".contains($0) }
    guard exponent.utf8.allSatisfy({ isDigit($0) }), halves[1].count - exponent.count < 2 else {
      return nil
    }
    return exponent.isEmpty ? number : "\(number)e\(halves[1])"
  }
}

extension TOMLValue? {
  /// True for infinity and NaN.
  fileprivate var isName: Bool {
    guard case .decimal(let digits)? = self else { return false }
    return digits.hasSuffix("inf") || digits.hasSuffix("nan")
  }
}
