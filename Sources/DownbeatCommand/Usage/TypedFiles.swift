// SPDX-License-Identifier: Apache-2.0
internal import CommandKit

/// The words of a command line that are neither options nor their values.
struct TypedFiles {
  private let files: [String]
  private let command: CommandDescription
  private let hasOutput: Bool

  /// Finds the words.
  ///
  /// - Parameters:
  ///   - words: All words that were typed, without the program's name.
  ///   - command: The command that they call.
  init(in words: [String], of command: CommandDescription) {
    self.command = command
    let names = Array(command.words.dropFirst())
    let typed = words.starts(with: names) ? Array(words.dropFirst(names.count)) : words
    hasOutput = command.keys(in: typed).contains("output")
    var files: [String] = []
    var isValue = false
    for word in typed.prefix(while: { $0 != "--" }) {
      if word.hasPrefix("-"), word.count > 1 {
        isValue = command.takesNextWord(word)
      } else {
        if !isValue { files.append(word) }
        isValue = false
      }
    }
    self.files = files
  }

  /// The advice to name the output with -o, if the last file is meant as the output; else nil.
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
  /// True if a word is an option without its value, which is then the next word.
  fileprivate func takesNextWord(_ word: String) -> Bool {
    guard !word.contains("=") else { return false }
    let name = word.hasPrefix("--") ? word : "-\(word.suffix(1))"
    return options.contains { $0.names.contains(name) && !$0.isFlag }
  }
}
