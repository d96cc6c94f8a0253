// SPDX-License-Identifier: Apache-2.0

/// The error message for words that the parser does not accept: the word, the fault, and a
/// suggestion in brackets.
///
/// The errors of the parser are not public, so their messages are converted. An unknown message is
/// kept.
struct UsageSentence {
  let text: String

  /// Converts a message.
  ///
  /// - Parameters:
  ///   - message: The message of the parser.
  ///   - words: The words of the command line, without the name of the program.
  init(_ message: String, typed words: [String]) {
    let message = message.split(separator: "\n").first.map(String.init) ?? message
    guard let command = Self.command(of: words) else {
      text = message
      return
    }
    let parser = ParserMessage(of: command, typed: words)
    if let (option, advice) = Self.foreignOption(words, command) {
      let help = "\(command.words.joined(separator: " ")) --help"
      let verb = advice.hasPrefix("leave ") ? "" : "try "
      text = "\(option): unknown option (\(verb)\(advice); \(help))"
    } else if message.hasPrefix("Missing expected") || message.hasPrefix("the output is missing"),
      let option = TypedFiles(in: words, of: command).unknownOption
    {
      text = parser.sentence("Unknown option '\(option)'")
    } else {
      text = parser.sentence(message)
    }
  }

  /// Returns the first option that belongs to another program, with the corresponding option of
  /// this one; nil for none.
  private static func foreignOption(
    _ words: [String], _ command: CommandDescription
  ) -> (option: String, advice: String)? {
    let names = Set(command.options.flatMap(\.names))
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      let option = String(word.prefix { $0 != "=" })
      guard !names.contains(option),
        let advice = ForeignWords.advice(for: option, in: command, typed: words)
      else { continue }
      return (option, advice)
    }
    return nil
  }

  /// Returns the command that the words name; nil if it cannot be described.
  private static func command(of words: [String]) -> CommandDescription? {
    do { return try CommandDescription.called(by: words).command } catch { return nil }
  }
}
