// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program as written for macOS, compiled unchanged against the modules that are built already.
struct MacProgram {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../MacPrograms").standardizedFileURL

  private let scratch: ScratchFolder

  /// Compiles a program, with or without one of its lines.
  init(_ name: String, without line: String? = nil) throws {
    scratch = try ScratchFolder()
    var text = try String(
      contentsOf: Self.folder.appendingPathComponent(name + ".swift"), encoding: .utf8)
    if let line { text = text.replacingOccurrences(of: line + "\n", with: "") }
    let main = scratch.path("main.swift")
    try text.write(toFile: main, atomically: true, encoding: .utf8)
    try BuiltModules(of: "downbeat-fuzz").compile([main], to: path, ["-swift-version", "5"])
  }

  /// The program's file.
  var path: String { scratch.path("program") }

  /// The lines that it prints; it must end with status 0.
  func lines(_ arguments: [String] = []) throws -> [String] {
    try Self.lines(of: ToolRun(arguments, command: path))
  }

  /// The lines of a program that has ended with status 0.
  static func lines(of run: ToolRun) -> [String] {
    #expect(run.status == 0, "\(run.errors)\(run.text)")
    return run.text.split(separator: "\n").map(String.init)
  }
}
