// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A library that is opened on first use, of whose interface we have declarations of our own.
struct LibraryDeclarations: CustomTestStringConvertible, Sendable {
  /// Our module.
  let target: String
  /// The library's own headers, with spaces between.
  let header: String
  /// What its functions' names begin with, where the table leaves it out.
  let prefix: String
  /// Structures, each with its members.
  let layouts: [(type: String, members: String)]

  var testDescription: String { target }

  private var sources: URL { ToolRun.packageFolder.appendingPathComponent("Sources") }
  private var includes: String {
    sources.appendingPathComponent("CLibraries/include").path
  }

  var isInstalled: Bool {
    headers.allSatisfy { header in
      Self.folders.contains { FileManager.default.fileExists(atPath: "\($0)/\(header)") }
    }
  }

  /// Where Debian keeps headers, those of one kind of machine last.
  private static let folders = [
    "/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu",
  ]

  private var headers: [Substring] { header.split(separator: " ") }
  private var inclusion: String {
    headers.map { "#include <\($0)>" }.joined(separator: "\n")
  }

  /// Asks the compiler whether each function of the table is what the library's header says.
  var functionCheck: String {
    let function = prefix.isEmpty ? "name" : "\(prefix)##name"
    return inclusion + """

      #define \(target.uppercased())_TYPES_H
      #include "\(target).h"
      #define CHECK(type, name, arguments) \\
        _Static_assert(__builtin_types_compatible_p(__typeof__(\(function)), type arguments), #name);
      \(target.uppercased())_FUNCTIONS(CHECK)
      """
  }

  /// A program that prints the size and the places of every structure and the value of every
  /// constant, as the library's header has them or ours.
  func listing(ofOurs: Bool) throws -> String {
    var lines = ["#include <stdio.h>", "#include <stddef.h>"]
    lines.append(ofOurs ? #"#include "\#(target)Types.h""# : inclusion)
    lines.append("int main(void) {")
    for layout in layouts {
      lines.append(#"printf("\#(layout.type) %zu\n", sizeof(\#(layout.type)));"#)
      for member in layout.members.split(separator: " ") {
        let (type, place) = (layout.type, "\(layout.type).\(member)")
        let size = "sizeof(((\(type) *)0)->\(member))"
        lines.append(
          #"printf("\#(place) %zu %zu\n", offsetof(\#(type), \#(member)), \#(size));"#)
      }
    }
    for constant in try constants {
      lines.append(#"printf("\#(constant) %lld\n", (long long)(\#(constant)));"#)
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  /// The constants that our header declares.
  private var constants: [String] {
    get throws {
      let path = URL(fileURLWithPath: "\(includes)/\(target)Types.h")
      let text = try String(contentsOf: path, encoding: .utf8)
        .split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n")
      let enumerators = text.matches(of: #/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|Jack\w+)\b(?=\s*[=,])/#)
      let macros = text.matches(of: #/#define (\w+) [0-9(]/#)
      return Array(Set((enumerators + macros).map { String($0.1) })).sorted()
    }
  }

  /// Compiles a text of C and, where that is asked for, runs it.
  func compile(_ text: String, runs: Bool) throws -> String {
    let scratch = try ScratchFolder()
    let source = try scratch.write("check.c", Array(text.utf8))
    let build = try ToolRun(
      ["-c", #"exec clang -Wno-deprecated-declarations "$@""#, "clang", "-I", includes, source]
        + (runs ? ["-o", scratch.path("check")] : ["-fsyntax-only"]), command: "/bin/sh")
    guard build.status == 0 else { return build.errors }
    return runs ? try ToolRun([], command: scratch.path("check")).text : ""
  }
}
