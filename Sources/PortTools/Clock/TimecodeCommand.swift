// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The command `downbeat mtc`: sends and measures MIDI time code.
package struct TimecodeCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "mtc",
    abstract: "Send and watch MIDI time code.",
    discussion: """
      EXAMPLES:
        downbeat mtc send -p UM-ONE --fps 25 --from 01:00:00:00
        downbeat mtc watch -p UM-ONE
      """,
    subcommands: [TimecodeSend.self, TimecodeWatch.self])
}
