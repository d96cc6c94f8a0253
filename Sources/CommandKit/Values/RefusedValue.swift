// SPDX-License-Identifier: Apache-2.0

/// A value that cannot be used, with the reason:
/// `--gain loud: not decibels or a factor (try -6dB)`.
package struct RefusedValue {
  /// The option as it was typed, such as `--gain` or `-g`; nil for an argument.
  package let option: String?
  package let value: String
  /// The reason, without the option and the value.
  package let reason: String

  /// Creates a refusal.
  ///
  /// - Parameters:
  ///   - value: The value as it was typed.
  ///   - option: The option; nil for an argument.
  ///   - reason: The reason, which may begin with the option, the value or both.
  package init(_ value: String, of option: String?, because reason: String) {
    self.option = option
    self.value = value
    var rest = reason[...]
    while let end = Self.headEnd(of: rest, value, option) { rest = rest[end...] }
    if !value.isEmpty, rest.hasPrefix("\(value) does not ") {
      rest = rest.dropFirst(value.count + 1)
    }
    if rest.hasPrefix(Self.start) { rest.removeFirst(Self.start.count) }
    self.reason = String(rest)
  }

  /// The message: option, value and reason.
  package var sentence: String {
    let isPlain = !value.isEmpty && !value.hasSuffix(":") && !value.contains(where: \.isWhitespace)
    let shown = isPlain ? value : "'\(value)'"
    return "\(option.map { "\($0) " } ?? "")\(shown): \(reason)"
  }

  /// The position of the first byte, which is not shown because the value itself is.
  private static let start = "byte 0: "

  /// The end of the option or value at the start of a reason; nil if it does not start in this way.
  private static func headEnd(
    of reason: Substring, _ value: String, _ option: String?
  ) -> String.Index? {
    guard !value.isEmpty else { return nil }
    for separator in [": ", " is "] {
      for range in reason.ranges(of: separator).prefix(4)
      where names(reason[..<range.lowerBound], value, option) {
        return range.upperBound
      }
    }
    return nil
  }

  /// Returns true if a text is only the value, with or without quotes, after at most two words.
  private static func names(_ text: Substring, _ value: String, _ option: String?) -> Bool {
    let plain = text.filter { $0 != "'" }
    let wanted = value.filter { $0 != "'" }
    if plain == wanted || plain == option.map({ "\($0) \(wanted)" }) { return true }
    guard text.hasSuffix("'\(value)'") else { return false }
    return text.dropLast(value.count + 2).split(separator: " ").count <= 2
  }
}
