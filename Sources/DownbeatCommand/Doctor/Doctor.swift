// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit

/// The command `downbeat doctor`, which checks whether this computer can play, and suggests fixes.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check whether this machine can play, and suggest fixes.",
    discussion: """
      Checks sound devices and servers, soundfonts, libraries, the sequencer, timers, real-time \
      limits and the terminal. Nothing is changed; fixes are shown as commands.

      EXAMPLES:
        downbeat doctor
        downbeat doctor --fix               print only the fix commands
        downbeat doctor --json | jq '.findings[] | select(.verdict != "ok")'

      EXIT STATUS: 0 if songs can play, with or without warnings; otherwise the status of the \
      first problem: 69 no sound device, 77 no permission to use it, 78 no soundfont. Problems \
      that only affect ports, clocks or effects are warnings.
      """)

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print only the fix commands, one per line, without running them.")
  var fix = false

  func validate() throws {
    guard !json || !fix else {
      throw ValidationError("--fix and --json exclude each other (leave one out)")
    }
  }

  func run() throws {
    let checkup = Checkup(.current)
    if json {
      try Terminal.output(checkup.json)
    } else {
      try Terminal.output(fix ? checkup.fixes : BrokenLines.fitted(checkup.lines))
    }
    if checkup.status != .success { throw checkup.status }
  }
}
