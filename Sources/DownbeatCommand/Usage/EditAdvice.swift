// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import SongTools

/// Advice for operations of `edit` that are typed without `--do`.
enum EditAdvice {
  /// Returns a command line with `--do`, if the words of `edit` name an operation, as in
  /// `edit song.mid transpose 2`.
  ///
  /// - Parameters:
  ///   - words: The words of the command line, without the name of the program.
  ///   - command: The command that they name.
  /// - Returns: The command line; nil for another command, or without an operation.
  static func call(_ words: [String], of command: CommandDescription) -> String? {
    guard command.words.last == "edit" else { return nil }
    let typed = TypedFiles(in: words, of: command)
    let songs = typed.files.filter(ListedFiles.songs.holds)
    guard let song = songs.first ?? typed.files.first, typed.files.count > 1 else { return nil }
    let operation = typed.files.filter { !ListedFiles.songs.holds($0) && $0 != song }
    guard let word = operation.first,
      let name = NearestNames.nearest(to: word, among: EditExample.all.map(\.name))
    else { return nil }
    let value = operation.dropFirst().joined(separator: " ")
    let output = typed.output ?? songs.dropFirst().first ?? "edited.mid"
    return "downbeat edit \(song) -o \(output) \(Self.option(name, value))"
  }

  /// Returns the options for an operation and its value.
  ///
  /// If the value is a range, `--range` is included.
  private static func option(_ name: String, _ value: String) -> String {
    guard !ranged.contains(name) else {
      let range = BarSpan(value).map { "'\($0.range)'" }
      let typed = value.contains("..") ? "'\(value)'" : "FROM..TO"
      return "--range \(range ?? typed) --do \(name)"
    }
    guard !value.isEmpty else { return "--do '\(name)'" }
    let grid = name == "quantise" ? EditDistance.gridValue(value) : nil
    return "--do '\(name) \(grid ?? value)'"
  }

  /// The operations that would apply to the whole song without a range.
  private static let ranged: Set = ["clear", "cut", "delete-time"]

  /// Returns the operation for an option of other commands and programs, such as
  /// `--do 'transpose 2'`.
  ///
  /// - Parameters:
  ///   - option: The option as it was typed, without its value.
  ///   - words: All typed words.
  /// - Returns: The words to type; nil if no operation fits.
  static func operation(for option: String, typed words: [String]) -> String? {
    let name = String(option.drop { $0 == "-" })
    let meant = foreign[option] ?? name
    if ["from", "to", "start", "end"].contains(meant) { return "--range FROM..TO" }
    if meant == "keep" {
      return "--do 'delete-time range=TO..' --do 'delete-time range=..FROM'"
    }
    guard let operation = EditExample.all.first(where: { $0.name == meant }) else {
      return nil
    }
    let value = value(of: option, words)
    if ranged.contains(meant) { return Self.option(meant, value ?? "") }
    guard !operation.value.isEmpty, !operation.value.contains("=") else {
      return "--do '\(operation.text)'"
    }
    return Self.option(meant, value ?? operation.value)
  }

  /// Returns the value that was typed for an option; nil for none.
  private static func value(of option: String, _ words: [String]) -> String? {
    guard let index = words.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") })
    else { return nil }
    if words[index] != option { return String(words[index].dropFirst(option.count + 1)) }
    guard index + 1 < words.count, !ListedFiles.songs.holds(words[index + 1]) else { return nil }
    let next = words[index + 1]
    let isOption = next.hasPrefix("-") && !(next.dropFirst().first?.isNumber ?? false)
    return isOption ? nil : next
  }

  /// The operations for options of other commands and programs.
  private static let foreign = [
    "-K": "transpose", "--pitch": "transpose", "--semitones": "transpose", "--key": "transpose",
    "--quantize": "quantise", "--bpm": "tempo", "--speed": "scale-time",
    "--stretch": "scale-time", "--gain": "volume", "-g": "volume", "--vol": "volume",
    "--instrument": "program", "--patch": "program", "--delete": "cut", "--trim": "keep",
    "--crop": "keep", "--keep": "keep", "--remove": "clear", "--erase": "clear",
    "--insert": "insert-time", "--concat": "merge", "--type": "format", "--shift": "move",
  ]
}
