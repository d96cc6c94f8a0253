// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The names in the tables of Documentation/CoreAudio.md.
struct DocumentedNames {
  /// Names that a program can use, some with a different behaviour.
  private(set) var there: Set<String> = []
  /// Names that a program cannot use.
  private(set) var leftOut: Set<String> = []
  /// Names of Downbeat's own API.
  private(set) var own: Set<String> = []

  /// Reads the document.
  init() throws {
    let path = ToolRun.packageFolder.appendingPathComponent("Documentation/CoreAudio.md")
    self.init(try String(contentsOf: path, encoding: .utf8))
  }

  /// Reads a text with tables of Markdown.
  init(_ text: String) {
    var header: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        header = []
        continue
      }
      let cells = line.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if header.isEmpty { header = cells } else { add(cells, under: header) }
    }
    there.subtract(leftOut)
  }

  private mutating func add(_ cells: [String], under header: [String]) {
    guard cells.count >= 3, header.count >= 3, header[0] != "import" else { return }
    let names = Self.names(in: cells[0]).filter(Self.isApples)
    if cells[1].hasPrefix("not available") {
      // The headers have the constants of properties that no object has.
      leftOut.formUnion(names.filter { !$0.hasPrefix("k") })
    } else {
      there.formUnion(names)
    }
    if header[2] == "Downbeat's own API" { own.formUnion(Self.names(in: cells[2])) }
  }

  /// The names in backticks that are written out, with members and argument labels.
  private static func names(in cell: String) -> [String] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }.filter {
      $0.wholeMatch(of: /[A-Za-z_]\w*(\.\w+)*(\(([a-zA-Z_]+:)*\))?/) != nil
    }
  }

  private static func isApples(_ name: String) -> Bool {
    let prefixes = [
      "AU", "AV", "Audio", "CA", "CF", "CM", "Dispose", "Ext", "MIDI", "Managed", "Music", "New",
      "Unsafe", "kA", "kCA", "kCF", "kCM", "kMIDI", "kMusic", "kSystem",
    ]
    return prefixes.contains { name.hasPrefix($0) }
  }
}
