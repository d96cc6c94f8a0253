// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText

/// The parser's sentences in the form of our messages: object, fault, and what to type instead.
struct ParserMessage {
  private let command: CommandDescription
  private let words: [String]
  private let help: String

  /// - Parameters:
  ///   - command: the command that was called.
  ///   - words: the words of the command line, without the program's name.
  init(of command: CommandDescription, typed words: [String]) {
    (self.command, self.words) = (command, words)
    help = "\(command.words.joined(separator: " ")) --help"
  }

  /// Our sentence for one of the parser's; an unknown one is kept, in lower case.
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

  /// The advice: the operation of `edit`, or -o before the output.
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

  /// The advice for the word `list` after a command that prints a list.
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

  /// A sentence in our manner: lower case at the beginning, and at the end what to type.
  private func kept(_ message: String) -> String {
    let first = message.prefix { $0.isLetter || $0 == "'" }
    let isParsers = ["The", "Invalid", "Command", "Missing", "Value", "No"].contains(first)
    let start = isParsers ? message.prefix(1).lowercased() + message.dropFirst() : message
    return start.hasSuffix(")") ? start : "\(start) (\(help))"
  }
}

extension ParserMessage {
  /// `file` of `<file> ...`, `--output` of `--output <output>`.
  private static func name(of place: Substring) -> String {
    let name = place.prefix { $0 != " " }
    return name.hasPrefix("-") ? String(name) : String(name.filter { $0 != "<" && $0 != ">" })
  }

  /// The name of an argument in a sentence: `a file` of `files`; an option stays as it is.
  private static func article(_ name: String) -> String {
    switch name {
    case _ where name.hasPrefix("-"): name
    case "file", "files", "in", "input", "inputs": "a file"
    default: "the \(name)"
    }
  }

  /// The option with the name of an output, as an example; nil for another option.
  private func example(of name: String) -> String? {
    guard name == "--output" else { return nil }
    switch command.words.dropFirst().first {
    case "plot": return "try -o song.svg"
    case "sound", "ltc", "render": return "try -o sound.wav"
    default: return "try -o song.mid"
    }
  }

  private static func unquoted(_ text: Substring) -> String { String(text.filter { $0 != "'" }) }

  /// The option of a name, or the argument of one.
  private func option(_ name: String) -> OptionDescription? {
    command.options.first { $0.names.contains(name) || $0.names.isEmpty && $0.valueName == name }
  }

  /// The reason if the parser has none: the values that there are, or the form of the value.
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

  /// The form of an option's value: its name if that is a form, or the first sentence of the help.
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
