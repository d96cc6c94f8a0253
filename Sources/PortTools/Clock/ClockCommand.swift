// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// Clocks: sent, followed, measured, shown and served.
package struct ClockCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract: "Send, follow, watch, show and serve clocks.",
    discussion: """
      EXAMPLES:
        downbeat clock send -p UM-ONE --bpm 125      be the master of a drum machine
        downbeat clock watch -p UM-ONE               how steady is its clock?
        downbeat clock serve studio --bpm 90         a clock for other programs
        downbeat play song.mid --sync clock:studio   one of them
      """,
    subcommands: [
      ClockSend.self, ClockFollow.self, ClockWatch.self, ClockShow.self, ClockServe.self,
    ])
}
