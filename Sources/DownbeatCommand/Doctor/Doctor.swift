// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit

/// Says whether this machine can play, and what to type where it cannot.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say whether this machine can play, and what to type where it cannot.",
    discussion: """
      Looks at sound devices and servers, soundfonts, libraries, the sequencer, timers, limits \
      for real time and the terminal. It changes nothing: what helps is shown as a command.

      EXAMPLES:
        downbeat doctor
        downbeat doctor --fix               the commands alone, to read and to run
        downbeat doctor --json | jq '.findings[] | select(.verdict != "ok")'

      EXIT STATUS: 0 a song would sound, warnings or not; else that of what is missing first: \
      69 no sound device, 77 no permission to it, 78 no soundfont. What is needed for ports and \
      clocks alone, or for effects, is a warning.
      """)

  @Flag(help: "Write one JSON document.")
  var json = false

  @Flag(help: "Print the commands that help, one a line, and run none.")
  var fix = false

  func validate() throws {
    guard !json || !fix else { throw ValidationError("--fix and --json: one of the two") }
  }

  func run() throws {
    let checkup = Checkup(.current)
    try Terminal.output(json ? ["\(checkup.json)"] : fix ? checkup.fixes : checkup.lines)
    if checkup.status != .success { throw checkup.status }
  }
}
