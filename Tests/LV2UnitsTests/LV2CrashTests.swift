// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A plug-in that ends the process while it renders.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2CrashTests {
  private static func run(_ level: String) throws -> ToolRun {
    try ToolRun(
      ["--render", ProbePlugins.bundle(), "urn:probe:breaks", level],
      environment: ["SWIFT_BACKTRACE": "enable=no"], command: ToolRun.program("LV2Trial"))
  }

  @Test(arguments: [
    ("2", SIGSEGV, "it accessed invalid memory"), ("-1", SIGABRT, "it called abort"),
  ])
  func `it is named in the report, and the process ends by its signal`(
    level: String, signal: Int32, words: String
  ) throws {
    let run = try Self.run(level)
    #expect(run.wasSignalled && run.status == signal)
    #expect(
      run.errors == "trial: urn:probe:breaks: this plug-in has crashed: \(words)"
        + " (do not use it, or install another version)\n")
  }

  @Test func `it is not blamed for faults of others`() throws {
    let run = try Self.run("1")
    #expect(run.wasSignalled && run.status == SIGABRT && run.errors.isEmpty)
    #expect(run.text == "rendered\n")
  }
}
