// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Every help text, whole, against the one that is kept: what a user reads does not change unseen.
///
/// `DOWNBEAT_KEEP_HELP=1 swift test --filter HelpTests` stores the current texts.
@Suite struct HelpTests {
  private static let folder = ToolRun.packageFolder.appendingPathComponent(
    "Tests/EndToEndTests/Help")
  private static let isKeeping = ProcessInfo.processInfo.environment["DOWNBEAT_KEEP_HELP"] != nil

  private struct Dump: Decodable {
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?

      /// The words of this command and of those below it.
      func words(after path: [String]) -> [[String]] {
        [path] + (subcommands ?? []).flatMap { $0.words(after: path + [$0.commandName]) }
      }
    }
    let command: Command
  }

  private func commands() throws -> [[String]] {
    let dump = try CommandRun(["--experimental-dump-help"])
    return try JSONDecoder().decode(Dump.self, from: dump.output).command.words(after: [])
      .filter { $0 != ["help"] }
  }

  @Test func `every command's help is the one that is kept`() throws {
    let commands = try commands()
    #expect(commands.count > 40)
    for words in commands {
      let run = try CommandRun(words + ["--help-all"], environment: ["COLUMNS": "80"])
      #expect(run.status == 0)
      let name = (["downbeat"] + words).joined(separator: "-") + ".txt"
      let file = Self.folder.appendingPathComponent(name)
      if Self.isKeeping { try run.output.write(to: file) }
      let kept = try String(contentsOf: file, encoding: .utf8)
      #expect(run.text == kept, "\(name)")
    }
  }

  @Test func `--help is one page, with examples and the way to all of it`() throws {
    for words in try commands() {
      let short = try CommandRun(words + ["--help"], environment: ["COLUMNS": "80"])
      let whole = try CommandRun(words + ["--help-all"], environment: ["COLUMNS": "80"])
      let lines = short.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(short.status == 0 && lines.count <= 81, "\(words): \(lines.count) lines")
      guard short.text != whole.text else { continue }
      #expect(whole.text.split(separator: "\n", omittingEmptySubsequences: false).count > 81)
      #expect(short.text.contains("EXAMPLES:\n  downbeat \(words.joined(separator: " "))"))
      let command = (["downbeat"] + words).joined(separator: " ")
      #expect(short.text.contains("\(command) --help-all"), "\(words)")
      for line in lines { #expect(line.count <= 80, "\(words): \(line)") }
      // Each option of the page is one of the command.
      for option in Set(
        short.text.matches(of: /^ +(?:-[a-zA-Z], )?(--[a-z-]+)/.anchorsMatchLineEndings()).map {
          String($0.1)
        })
      {
        #expect(whole.text.contains(option), "\(words): \(option)")
      }
    }
  }

  @Test func `no text is kept of a command that is gone`() throws {
    let names = Set(try commands().map { (["downbeat"] + $0).joined(separator: "-") + ".txt" })
    let kept = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(kept) == names)
  }

  @Test func `no line of a help is wider than 80 columns`() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
      let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      for line in text.split(separator: "\n") {
        #expect(line.count <= 80, "\(name): \(line)")
      }
    }
  }

  @Test func `no example is broken in two`() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) {
      let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, next) in zip(lines, lines.dropFirst()) where line.contains("  downbeat ") {
        #expect(next.isEmpty || next.hasPrefix(" "), "\(name): \(line)")
      }
    }
  }
}
