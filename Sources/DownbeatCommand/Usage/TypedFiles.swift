// SPDX-License-Identifier: Apache-2.0
internal import CommandKit

/// The words of a command line that are neither options nor their values.
struct TypedFiles {
  /// The words, in order.
  ///
  /// A negative number is one of them.
  private(set) var files: [String] = []
  /// The value of `-o` or `--output`, if it is a separate word or follows `=`; nil otherwise.
  private(set) var output: String?
  /// The first option that the command does not have; nil for none.
  private(set) var unknownOption: String?
  private let command: CommandDescription
  private let hasOutput: Bool

  /// Finds the words.
  ///
  /// - Parameters:
  ///   - words: All typed words, without the name of the program.
  ///   - command: The command that they name.
  init(in words: [String], of command: CommandDescription) {
    self.command = command
    let typed = Array(words.dropFirst(CommandPath(words).names.count))
    hasOutput = command.keys(in: typed).contains("output")
    var option: OptionDescription?
    for word in typed.prefix(while: { $0 != "--" }) {
      if Self.isOption(word) {
        if unknownOption == nil { unknownOption = command.unknownOption(in: word) }
        option = command.option(before: word)
        if word.hasPrefix(Self.output) { output = String(word.dropFirst(Self.output.count)) }
      } else if let before = option {
        if before.key == "output" { output = word }
        option = nil
      } else {
        files.append(word)
      }
    }
  }

  private static let output = "--output="

  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word.count > 1 && word.dropFirst().first?.isNumber != true
  }

  /// The suggestion to write `-o` before the last file, if it is probably the output; nil
  /// otherwise.
  var outputAdvice: String? {
    let inputCount = command.options.contains { $0.names.isEmpty } ? 1 : 0
    guard command.option("output") != nil, !hasOutput, files.count > inputCount,
      let last = files.last, let suffix = last.split(separator: ".").dropFirst().last,
      (2...5).contains(suffix.count), suffix.allSatisfy({ $0.isLetter || $0.isNumber })
    else { return nil }
    return "try -o \(last)"
  }
}

extension CommandDescription {
  /// Returns the option in a word, if the command does not have it; nil otherwise.
  fileprivate func unknownOption(in word: String) -> String? {
    let names = Set(options.flatMap(\.names) + ["--profile", CommandWords.wholeHelp])
    guard !word.hasPrefix("--") else {
      let name = String(word.prefix { $0 != "=" })
      return names.contains(name) ? nil : name
    }
    for letter in word.dropFirst() {
      guard let option = options.first(where: { $0.names.contains("-\(letter)") }) else {
        return names.contains(word) ? nil : word
      }
      if !option.isFlag { return nil }
    }
    return nil
  }

  /// Returns the option whose value is the next word; nil for none.
  fileprivate func option(before word: String) -> OptionDescription? {
    guard !word.contains("=") else { return nil }
    let name = word.hasPrefix("--") ? word : "-\(word.suffix(1))"
    return options.first { $0.names.contains(name) && !$0.isFlag }
  }
}
