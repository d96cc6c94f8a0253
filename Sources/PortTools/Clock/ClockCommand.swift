// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The command `downbeat clock`: sends, follows, measures, shows and serves clocks.
package struct ClockCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract: "Send, follow, watch, show and serve clocks.",
    discussion: """
      EXAMPLES:
        downbeat clock send -p UM-ONE --tempo 125    send clock to a drum machine
        downbeat clock watch -p UM-ONE               measure how steady its clock is
        downbeat clock serve studio --tempo 90       run a clock for other programs
        downbeat play song.mid --sync clock:studio   play in sync with it
      """,
    subcommands: [
      ClockSend.self, ClockFollow.self, ClockWatch.self, ClockShow.self, ClockServe.self,
    ])
}
