// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Commands that run in this process, each with other streams.
@Suite struct ConsoleTests {
  private static let songs = ToolRun.packageFolder.appendingPathComponent("Songs").path

  @Test func `a command prints to its console and returns its exit status`() throws {
    let run = try CommandRun(["convert", "90s", "--to", "smpte"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text == "00:01:30:00\n", "\(run.text)")
    #expect(run.errors.isEmpty)
  }

  @Test func `an error is printed to the messages, and its status is returned`() throws {
    let run = try CommandRun(["info", "/there/is/no/such.mid"])
    #expect(run.status == 66)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("downbeat: /there/is/no/such.mid: "), "\(run.errors)")
  }

  @Test func `words that the parser refuses give status 64, and help gives 0`() throws {
    #expect(try CommandRun(["info", "--no-such-option"]).status == 64)
    let help = try CommandRun(["info", "--help"])
    #expect(help.status == 0 && help.text.hasPrefix("OVERVIEW: "), "\(help.text)")
  }

  @Test func `songs are read from the console's input and written to its output`() throws {
    let song = try FileContent.data("\(Self.songs)/canon.mid")
    let run = try CommandRun(["edit", "-", "-o", "-", "--do", "transpose 2"], input: song)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.starts(with: Data("MThd".utf8)) && run.output != song)
    let back = try CommandRun(["edit", "-", "-o", "-", "--do", "transpose -2"], input: run.output)
    let events = try [song, back.output].map { try CommandRun(["events", "-"], input: $0).text }
    #expect(events[0] == events[1] && !events[0].isEmpty)
  }

  @Test func `lines are read from the console's input`() throws {
    let run = try CommandRun(["convert", "-", "--to", "ms"], input: Data("1s\n2s\n".utf8))
    #expect(run.text == "1000\n2000\n" && run.status == 0, "\(run.errors)")
  }

  @Test func `several commands at once each have their own output and report`() async throws {
    let names = ["canon", "rag", "minuet", "prelude"]
    let runs = try await withThrowingTaskGroup(of: (String, CommandRun).self) { group in
      for name in names + names {
        group.addTask {
          (name, try CommandRun(["info", "--json", "\(Self.songs)/\(name).mid"]))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(runs.count == 8)
    for (name, run) in runs {
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.text.contains("\(name).mid"), "\(run.text)")
      #expect(names.filter { run.text.contains("\($0).mid") } == [name])
    }
  }
}
