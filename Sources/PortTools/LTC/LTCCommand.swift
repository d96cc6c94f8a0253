// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The command `downbeat ltc`: linear timecode, which is sound that carries time code.
package struct LTCCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "ltc",
    abstract: "Send and read linear time code (LTC) as sound.",
    discussion: """
      EXAMPLES:
        downbeat ltc send -o hour.wav --fps 25 --from 01:00:00:00 --for 1h
        downbeat ltc send --audio hw:1 --fps 29.97df
        downbeat ltc watch tape.wav
      """,
    subcommands: [LTCSend.self, LTCWatch.self])
}
