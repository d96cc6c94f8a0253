// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import PlayerControl

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
    let help = "\(command.words.joined(separator: " ")) --help"
    if let (option, advice) = Self.foreignOption(words, command) {
      text = "\(option): unknown option (try \(advice); \(help))"
    } else if let match = message.wholeMatch(
      of: /Unknown option '(.*?)'(?:\. Did you mean '(.*)'\?)?/)
    {
      let option = String(match.1)
      let names = command.options.flatMap(\.names)
      let advice = NearestNames.nearest(to: option, among: names) ?? match.2.map(String.init)
      text = "\(option): unknown option (\(advice.map { "try \($0); " } ?? "")\(help))"
    } else if let match = message.wholeMatch(of: /Missing expected argument '(.*)'/) {
      text = "\(Self.place(match.1)) is missing (\(Self.operation(words, command) ?? help))"
    } else if let match = message.wholeMatch(
      of: /(?:Unexpected argument|\d+ unexpected arguments:) (.*)/)
    {
      let hint = Self.operation(words, command) ?? help
      text = "\(match.1): unexpected (\(hint))"
    } else {
      text = Self.sentence(message, help)
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

  /// `file` of `<file> ...`, `--output` of `--output <output>`.
  private static func place(_ text: Substring) -> String {
    let name = text.prefix { $0 != " " }
    return name.hasPrefix("-") ? String(name) : String(name.filter { $0 != "<" && $0 != ">" })
  }

  /// The command with `--do`, if the words of `edit` name an operation without it.
  private static func operation(_ words: [String], _ command: CommandDescription) -> String? {
    guard command.words.last == "edit" else { return nil }
    let plain = words.dropFirst().filter { !$0.hasPrefix("-") }
    guard let song = plain.first, plain.count > 1 else { return nil }
    let operation = plain.dropFirst().filter { !$0.lowercased().hasSuffix(".mid") }
    guard !operation.isEmpty else { return nil }
    let output = plain.dropFirst().first { $0.lowercased().hasSuffix(".mid") } ?? "edited.mid"
    return "downbeat edit \(song) -o \(output) --do '\(operation.joined(separator: " "))'"
  }

  /// A sentence in our manner: lower case at the beginning, and at the end what to type.
  private static func sentence(_ message: String, _ help: String) -> String {
    let start = message.hasPrefix("The ") ? "the " + message.dropFirst(4) : message
    return start.hasSuffix(")") ? start : "\(start) (\(help))"
  }
}
