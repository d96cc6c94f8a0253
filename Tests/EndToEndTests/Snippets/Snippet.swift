// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A piece of Swift in a document.
///
/// What a reader has at hand already stands before it in a comment that is not shown:
/// `<!-- given: let rate = SampleRate.hertz48000 -->`. A piece that needs ports or a device is
/// compiled and not run: `<!-- given, not run: -->`.
struct Snippet {
  /// The document, as a path in the package.
  let document: String
  let line: Int
  let text: String
  let given: String
  let isRun: Bool

  /// The pieces of a document that are programs, not manifests.
  static func all(in document: String) throws -> [Snippet] {
    let path = ToolRun.packageFolder.appendingPathComponent(document)
    let lines = try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")
    var snippets: [Snippet] = []
    var given: (text: String, isRun: Bool) = ("", true)
    var index = 0
    while index < lines.count {
      if lines[index].hasPrefix("<!-- given") {
        let comment = block(lines, &index) { $0.hasSuffix("-->") }
        given = read(comment)
      } else if lines[index] == "```swift" {
        let start = index + 1
        index += 1
        let text = block(lines, &index) { $0 == "```" }
        if !text.hasPrefix("// Package.swift") {
          snippets.append(
            Snippet(
              document: document, line: start, text: String(text.dropLast(4)), given: given.text,
              isRun: given.isRun))
        }
        given = ("", true)
      }
      index += 1
    }
    return snippets
  }

  /// The lines up to one that ends them, which becomes the index.
  private static func block(
    _ lines: [String], _ index: inout Int, isEnd: (String) -> Bool
  ) -> String {
    let start = index
    while index < lines.count - 1, !isEnd(lines[index]) { index += 1 }
    return lines[start...index].joined(separator: "\n")
  }

  private static func read(_ comment: String) -> (text: String, isRun: Bool) {
    guard let colon = comment.firstIndex(of: ":") else { return ("", true) }
    let text = comment[comment.index(after: colon)...].replacing("-->", with: "")
    return (String(text), !comment[..<colon].contains("not run"))
  }

  /// The piece as a function.
  func function(named name: String) -> String {
    let body = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
    return """
      func \(name)() async throws {
      \(given)
      #sourceLocation(file: "\(document)", line: \(line + 1))
      \(body)
      #sourceLocation()
      }
      """
  }
}
