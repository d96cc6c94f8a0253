// SPDX-License-Identifier: Apache-2.0
import CommandKit
import DownbeatCommand
import Foundation
import JSONText
import TestSupport
import Testing

/// Commands that run in this process, each with other streams.
@Suite struct ConsoleTests {
  private static let songs = ToolRun.packageFolder.appendingPathComponent("Songs").path

  @Test func `a command prints to its console and returns its exit status`() throws {
    let run = CommandRun("convert", "90s", "--to", "smpte")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text == "00:01:30:00\n", "\(run.text)")
    #expect(run.errors.isEmpty)
  }

  @Test func `an error is printed to the messages, and its status is returned`() {
    let run = CommandRun("info", "/there/is/no/such.mid")
    #expect(run.status == 66)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("downbeat: /there/is/no/such.mid: "), "\(run.errors)")
  }

  @Test func `words that the parser refuses give status 64, and help gives 0`() {
    #expect(CommandRun("info", "--no-such-option").status == 64)
    let help = CommandRun("info", "--help")
    #expect(help.status == 0 && help.text.hasPrefix("OVERVIEW: "), "\(help.text)")
  }

  @Test func `several commands at once each have their own output and report`() async throws {
    let names = ["canon", "rag", "minuet", "prelude"]
    let runs = await withTaskGroup(of: (String, CommandRun).self) { group in
      for name in names + names {
        group.addTask {
          (name, CommandRun("info", "--json", "\(Self.songs)/\(name).mid"))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(runs.count == 8)
    for (name, run) in runs {
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.text.contains("\(name).mid"), "\(run.text)")
      #expect(names.filter { run.text.contains("\($0).mid") } == [name])
    }
  }
}
