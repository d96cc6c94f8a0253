// SPDX-License-Identifier: Apache-2.0

/// The one line for words that the parser refuses: the word, the fault, and in brackets what to
/// type instead.
///
/// The parser's errors are not public, so that its sentences are read; a sentence that is unknown is
/// kept.
struct UsageSentence {
  let text: String

  /// - Parameters:
  ///   - message: the parser's sentence.
  ///   - words: the words of the command line, without the program's name.
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

  /// The first option that the command does not have and another program has, with ours for it.
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

  /// The command that the words call; nil if it cannot be described.
  private static func command(of words: [String]) -> CommandDescription? {
    do { return try CommandDescription.called(by: words).command } catch { return nil }
  }
}
