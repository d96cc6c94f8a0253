// SPDX-License-Identifier: Apache-2.0
import DownbeatCommand
import Foundation
import TestSupport

/// What programs send to a player: each line is understood, or refused with a sentence.
///
/// Most are what `Documentation/Control.md` says a program may send, with some of it changed.
struct RequestTarget: FuzzTarget {
  /// A command and the kinds of words after it, as its row in the documentation has them.
  private struct Row {
    let name: String
    let kinds: [String]
  }

  /// Values of each kind, as JSON.
  private static let values: [String: [String]] = [
    "TIME": [
      #""1:30""#, #""33.1.0""#, #""-4|0|0""#, #""+10""#, #""50%""#, #""@Part 2""#, "12.5", "0",
      "-3",
      #""48000smp""#, #""01:02:03:04""#,
    ],
    "[absolute/relative]": [#""absolute""#, #""relative""#],
    "N": ["1", #""2""#, #""+3""#, "7"], "BPM": ["97.5", #""120""#, "30"],
    "FACTOR": [#""80%""#, #""1.5""#, "2", #""1/3""#],
    "GAIN": [#""-3dB""#, #""0.5""#, "-1.5", "0", #""12dB""#],
    "CHANNELS": [#""2,10""#, "[1,9]", "3", #""1-16""#, "[0]"], "A": [#""33.1.0""#, "5"],
    "B": [#""41.1.0""#, "9.5"], "CHANNEL": ["0", #""10""#, "[15]"], "PROGRAM": [#""41""#, "127"],
    "ID": ["0", "1", "-7", "4611686018427387904"],
    "pause": ["true", #""no""#], "time-pos": ["12.5", #""1:30""#],
    "percent-pos": ["50", #""0.1""#],
    "speed": ["1.5", #""80%""#], "volume": ["-3", #""0.5""#], "transpose": ["-48", #""+2""#],
    "mute": ["[]", "[0,15]", #""none""#], "solo": [#""1-3""#, "[]"], "playlist-pos": ["0", "3"],
    "repeat": [#""list""#, #""one""#],
  ]
  /// What is put in the place of a value, or after all of them.
  private static let strange = [
    "1e9", "99999999999999999999", "-0.0", "null", "[[", "{}", "[1,16]", #""1e400""#, #""-""#,
    #""3-""#, #""é""#, #""\u0000""#, #""\ud800""#, #""""#, #""seek""#, "[[[]]]", "true",
  ]

  private let scene: FuzzScene
  private let rows: [Row]
  private let properties: [String]
  private let settable: [String]
  private var (understood, refused) = (0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    let text = try String(
      contentsOf: ToolRun.packageFolder.appendingPathComponent("Documentation/Control.md"),
      encoding: .utf8)
    let tables = text.components(separatedBy: "\n|---|---|")
    try FuzzFault.unless(tables.count > 3, "Documentation/Control.md has other tables")
    rows = Self.cells(tables[1]).map {
      Row(name: $0[0], kinds: $0[1].split(separator: " ").map(String.init))
    }
    let described = Self.cells(tables[3])
    properties = described.map { $0[0] }
    settable = described.filter { $0[1].contains("can be set") }.map { $0[0] }
    try FuzzFault.unless(
      rows.count > 35 && properties.count > 30 && settable.count > 9,
      "Documentation/Control.md has fewer rows than there are commands")
  }

  /// The cells of a table's rows, without the marks of code.
  private static func cells(_ table: String) -> [[String]] {
    table.components(separatedBy: "\n").dropFirst().prefix { $0.isEmpty || $0.hasPrefix("|") }
      .compactMap {
        let cells = $0.components(separatedBy: "|").dropFirst().map {
          $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
        }
        return cells.count < 3 || cells[0].isEmpty || cells[0].hasPrefix("-") ? nil : Array(cells)
      }
  }

  var tally: String { "\(understood) understood, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    var words = valid(&random)
    let isChanged = Int.random(in: 0..<4, using: &random) == 0
    if isChanged { change(&words, &random) }
    let id = isChanged ? Self.strange.randomElement(using: &random) ?? "1" : "3"
    var bytes = Array(#"{"command":[\#(words.joined(separator: ","))],"request_id":\#(id)}"#.utf8)
    if Int.random(in: 0..<4, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    try scene.keep(bytes)
    if let refusal = CommandEntry.refusal(ofRequest: bytes) {
      try FuzzFault.unless(!refusal.isEmpty, "a refusal without a sentence")
      refused += 1
    } else {
      understood += 1
    }
  }

  /// A request as the documentation has it.
  private func valid(_ random: inout SplitMix) -> [String] {
    guard let row = rows.randomElement(using: &random) else { return [] }
    var words = ["\"\(row.name)\""]
    var property = ""
    for kind in row.kinds {
      if kind.hasPrefix("["), Bool.random(using: &random) { break }
      if kind == "PROPERTY" {
        let names = row.kinds.last == "VALUE" ? settable : properties
        property = names.randomElement(using: &random) ?? ""
        words.append("\"\(property)\"")
      } else {
        let values = Self.values[kind] ?? Self.values[kind == "[CHANNELS]" ? "CHANNELS" : property]
        words.append(values?.randomElement(using: &random) ?? "1")
      }
    }
    return words
  }

  private func change(_ words: inout [String], _ random: inout SplitMix) {
    let place = Int.random(in: 0..<words.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: words[place] = Self.strange.randomElement(using: &random) ?? ""
    case 1: words.append(Self.strange.randomElement(using: &random) ?? "")
    case 2: words.remove(at: place)
    default: words.shuffle(using: &random)
    }
  }
}
