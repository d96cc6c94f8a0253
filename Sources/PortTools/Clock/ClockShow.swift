// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import Glibc
internal import MusicalTime
internal import PlayerViews
internal import Realtime
internal import TerminalViews

/// The command `downbeat clock show`, which shows a clock in large digits.
struct ClockShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a clock in large digits: bar and beat, and time code.",
    discussion: """
      On a terminal the picture is updated 10 times a second; ? lists the keys, q quits. If the \
      output is a pipe, or with --plain, the clock is printed once a second; --json prints the \
      same lines as `clock follow --json`. --web shows the clock in browsers, such as on a tablet \
      on a music stand.

      EXAMPLES:
        downbeat clock show -p UM-ONE
        downbeat clock show clock:studio
        downbeat clock show --sync link --web 0.0.0.0:8120
      """)

  @OptionGroup var options: FollowOptions

  @OptionGroup var web: WebOptions

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @OptionGroup(title: "Terminal") var live: LiveOptions

  func run() throws {
    let isPicture = !json && Console.current.isOutputTerminal
    // With `--web` and without a display, only browsers show the clock.
    let isSilent = !json && web.web != nil
    var last: Int64?
    try options.follow(
      web: try web.open(leads: false), digits: .large,
      live: { isPicture ? try live.display(isQuiet: false, $0) : nil }
    ) { clock, context in
      if isSilent { return }
      let now = HostTime(nanoseconds: DeadlineWait.now)
      let second = now.nanoseconds / 1_000_000_000
      guard second != last else { return }
      last = second
      let reading = try ClockReading(clock, at: now, in: context)
      if json {
        try Terminal.output(reading.json)
      } else {
        try Terminal.output(rows(reading, clock.isRunning))
      }
    }
  }

  private func rows(_ reading: ClockReading, _ isRunning: Bool) throws -> [String] {
    let words = [isRunning ? "running" : "stopped", reading.tempoText] + reading.doubt
    return try LargeDigits.rows(reading.value(.barBeat)) + [""]
      + LargeDigits.rows(reading.value(.timecode)) + ["", words.joined(separator: "  ")]
  }
}
