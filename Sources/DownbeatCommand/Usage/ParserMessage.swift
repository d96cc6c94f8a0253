// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText

/// The error messages of the parser in the form of this program: the object, the fault, and a
/// suggestion.
struct ParserMessage {
  private let command: CommandDescription
  private let words: [String]
  private let help: String

  /// Creates a converter of messages.
  ///
  /// - Parameters:
  ///   - command: The command that was called.
  ///   - words: The words of the command line, without the name of the program.
  init(of command: CommandDescription, typed words: [String]) {
    (self.command, self.words) = (command, words)
    help = "\(command.words.joined(separator: " ")) --help"
  }

  /// Returns the sentence for a message of the parser.
  ///
  /// An unknown message is kept, in lower case.
  func sentence(_ message: String) -> String {
    unknownOption(message) ?? missing(message) ?? refusedValue(message) ?? unexpected(message)
      ?? contradiction(message) ?? unknownShell(message) ?? kept(message)
  }

  private func unknownOption(_ message: String) -> String? {
    guard let match = message.wholeMatch(of: /Unknown option '(.*?)'(?:\. Did you mean .*)?/)
    else { return nil }
    let option = String(match.1)
    if option.dropFirst().first?.isNumber == true, let call = advice(isOutputMissing: false) {
      return "\(option): unexpected (\(call))"
    }
    let names = command.options.flatMap(\.names) + [CommandWords.wholeHelp]
    let advice = NearestNames.nearest(to: option, among: names)
    return "\(option): unknown option (\(advice.map { "try \($0); " } ?? "")\(help))"
  }

  private func missing(_ message: String) -> String? {
    if let match = message.wholeMatch(of: /Missing expected argument '(.*)'/) {
      let name = Self.name(of: match.1)
      if words == ["-v"] { return "-v: without a file (for the version, downbeat --version)" }
      let advice = advice(isOutputMissing: name == "--output")
      return "\(Self.article(name)) is missing (\(advice ?? example(of: name) ?? help))"
    }
    if let match = message.wholeMatch(of: /Missing one of: (.*)/) {
      return "\(match.1.replacing("', '", with: "' or '")): one is missing (\(help))"
    }
    if let match = message.wholeMatch(of: /Missing value for '(.*?)'.*/) {
      let name = Self.name(of: match.1)
      return "\(name): the value is missing (\(form(of: option(name)) ?? help))"
    }
    return message == "Missing required subcommand." ? "the command is missing (\(help))" : nil
  }

  /// Returns a suggestion: an operation of `edit`, or `-o` before the output; nil for none.
  private func advice(isOutputMissing: Bool) -> String? {
    EditAdvice.call(words, of: command)
      ?? (isOutputMissing ? TypedFiles(in: words, of: command).outputAdvice : nil)
  }

  private func refusedValue(_ message: String) -> String? {
    guard
      let match = message.wholeMatch(
        of: /The value '(.*?)' is invalid for '(.+?)'(?:: (.*)|\. Please provide .*)?/)
    else { return nil }
    let (value, name) = (String(match.1), Self.name(of: match.2))
    let isOption = name.hasPrefix("-")
    let reason = match.3.map(String.init) ?? reason(of: value, option(name))
    let refused = RefusedValue(value, of: isOption ? name : nil, because: reason)
    return kept(refused.sentence)
  }

  private func unexpected(_ message: String) -> String? {
    if let match = message.wholeMatch(of: /(?:Unexpected argument|\d+ unexpected arguments:) (.*)/)
    {
      return "\(match.1): unexpected (\(advice(isOutputMissing: true) ?? listing(match.1) ?? help))"
    }
    return message.wholeMatch(of: /The option '(.*?)' does not take any value, but '(.*)' was .*/)
      .map { "\($0.1): does not take a value (leave out =\($0.2))" }
  }

  /// Returns the suggestion for the word `list` after a command that prints a list; nil for other
  /// words.
  private func listing(_ words: Substring) -> String? {
    words == "'list'" ? "leave it out: \(command.words.joined(separator: " "))" : nil
  }

  private func contradiction(_ message: String) -> String? {
    message.wholeMatch(
      of: /Value to be set with flag (.*) had already been set with flag (.*)/
    ).map { "\(Self.unquoted($0.2)) and \(Self.unquoted($0.1)): contradictory (use one of them)" }
  }

  private func unknownShell(_ message: String) -> String? {
    message.wholeMatch(of: /Can't generate completion scripts for '(.*)'\./).map {
      "--generate-completion-script \($0.1): unknown shell (use bash, zsh or fish)"
    }
  }

  /// Returns a message in the form of this program, with lower case at the start and a suggestion
  /// at the end.
  private func kept(_ message: String) -> String {
    let first = message.prefix { $0.isLetter || $0 == "'" }
    let isParsers = ["The", "Invalid", "Command", "Missing", "Value", "No"].contains(first)
    let start = isParsers ? message.prefix(1).lowercased() + message.dropFirst() : message
    return start.hasSuffix(")") ? start : "\(start) (\(help))"
  }
}

extension ParserMessage {
  /// Returns the name in a placeholder: `file` for `<file> ...`, `--output` for
  /// `--output <output>`.
  private static func name(of place: Substring) -> String {
    let name = place.prefix { $0 != " " }
    return name.hasPrefix("-") ? String(name) : String(name.filter { $0 != "<" && $0 != ">" })
  }

  /// Returns the name of an argument for a sentence, such as `a file` for `files`.
  ///
  /// An option is unchanged.
  private static func article(_ name: String) -> String {
    switch name {
    case _ where name.hasPrefix("-"): name
    case "file", "files", "in", "input", "inputs": "a file"
    default: "the \(name)"
    }
  }

  /// Returns an example of an output option; nil for other options.
  private func example(of name: String) -> String? {
    guard name == "--output" else { return nil }
    switch command.words.dropFirst().first {
    case "plot": return "try -o song.svg"
    case "sound", "ltc", "render": return "try -o sound.wav"
    default: return "try -o song.mid"
    }
  }

  private static func unquoted(_ text: Substring) -> String { String(text.filter { $0 != "'" }) }

  /// Returns the option or the argument with a name; nil for none.
  private func option(_ name: String) -> OptionDescription? {
    command.options.first { $0.names.contains(name) || $0.names.isEmpty && $0.valueName == name }
  }

  /// Returns the fault of a value, if the parser does not give it: the possible values, or the form
  /// of the value.
  private func reason(of value: String, _ option: OptionDescription?) -> String {
    if let choices = option?.choices, let last = choices.last {
      let others = choices.dropLast().joined(separator: ", ")
      let near = NearestNames.nearest(to: value, among: choices).map { " (did you mean \($0)?)" }
      return "must be \(others.isEmpty ? last : "\(others) or \(last)")\(near ?? "")"
    }
    let isWord = !value.contains(where: \.isNumber)
    let fault = isWord && option?.isNumber == true ? "not a number" : "not valid"
    return "\(fault) (\(form(of: option) ?? help))"
  }

  /// Returns the form of an option's value: its placeholder if that is a form, otherwise the first
  /// sentence of the help; nil for none.
  private func form(of option: OptionDescription?) -> String? {
    if let name = option?.valueName, name.contains(":") { return "write \(name)" }
    guard let text = option?.text.replacing("\n", with: " "), !text.isEmpty else { return nil }
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    var sentence = String(text[..<end])
    if sentence.hasSuffix(".") { sentence.removeLast() }
    let isWord = sentence.dropFirst().first?.isLowercase ?? false
    return isWord ? sentence.prefix(1).lowercased() + sentence.dropFirst() : sentence
  }
}
