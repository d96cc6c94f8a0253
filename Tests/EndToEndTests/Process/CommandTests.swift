// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct CommandTests {
  @Test func `help names the subcommands and the exit statuses`() throws {
    let run = try CommandRun(["--help"])
    #expect(run.status == 0)
    #expect(run.text.contains("EXIT STATUS"))
  }

  @Test func `an unknown flag is a usage error`() throws {
    let run = try CommandRun(["--no-such-flag"])
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
  }
}
