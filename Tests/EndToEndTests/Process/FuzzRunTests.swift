// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The targets of `make fuzz`, with a few rounds each, or more in long test runs.
@Suite struct FuzzRunTests {
  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
  private static let program = ToolRun.program("downbeat-fuzz")

  @Test(arguments: [
    ("texts", 2000), ("songs", 40), ("edits", 200), ("lists", 2000), ("lyrics", 2000),
    ("fonts", 40), ("sounds", 40), ("segments", 2000), ("requests", 2000), ("tapes", 20),
    ("calls", 2000), ("clocks", 500), ("graphs", 500), ("links", 2000), ("packets", 2000),
    ("addresses", 2000), ("pages", 2000), ("journals", 2000), ("partners", 2000),
    ("plugins", 3), ("bursts", 400), ("voices", 40), ("compressed", 40), ("dls", 200),
    ("messages", 20_000), ("levels", 20_000), ("boxes", 200), ("documents", 400),
  ])
  func `no mutated input traps, hangs or breaks a promise`(kind: String, count: Int) throws {
    let scratch = try ScratchFolder()
    let rounds = Self.isLong ? 100 * count : count
    let run = try ToolRun(
      [kind, "\(rounds)", "15", scratch.path("fuzz")], command: Self.program, limit: 3600)
    #expect(!run.wasSignalled && run.status == 0, "\(run.status): \(run.text)\(run.errors)")
  }
}
