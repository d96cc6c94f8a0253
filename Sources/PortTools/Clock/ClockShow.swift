// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import Glibc
internal import MusicalTime
internal import PlayerViews
internal import Realtime

/// Shows where a clock is in large digits.
struct ClockShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a clock in large digits: bar and beat, and time code.",
    discussion: """
      On a terminal the picture is drawn over 25 times a second; elsewhere one is written a second, \
      or with --json a line as `clock follow` writes it. With --web browsers see it, on a tablet \
      on a stand too: the page has a clock of its own and moves evenly by a slow network.

      EXAMPLES:
        downbeat clock show -p UM-ONE
        downbeat clock show --sync clock:studio
        downbeat clock show --sync link --web 0.0.0.0:8120
      """)

  @OptionGroup var options: FollowOptions

  @OptionGroup var web: WebOptions

  @Flag(help: "Write one JSON document a line.")
  var json = false

  func run() throws {
    let isTerminal = !json && Console.current.isOutputTerminal
    // Elsewhere browsers are those who look.
    let isSilent = !json && !isTerminal && web.web != nil
    let period: Int64 = isTerminal ? 40_000_000 : 1_000_000_000
    var last: Int64?
    try options.follow(web: try web.open(leads: false)) { clock, context in
      if isSilent { return }
      let now = HostTime(nanoseconds: DeadlineWait.now)
      guard now.nanoseconds / period != last else { return }
      let reading = try ClockReading(clock, at: now, in: context)
      if json {
        try Terminal.output("\(reading.json)")
      } else {
        // Up over the last picture, and each row to its end.
        let rows = try rows(reading, clock.isRunning)
        let up = last == nil || !isTerminal ? "" : "\u{1B}[\(rows.count)A"
        try Console.current.write(
          up + rows.map { isTerminal ? "\($0)\u{1B}[K\n" : "\($0)\n" }.joined())
      }
      last = now.nanoseconds / period
    }
  }

  private func rows(_ reading: ClockReading, _ isRunning: Bool) throws -> [String] {
    let words = [isRunning ? "running" : "stopped", reading.tempoText] + reading.doubt
    return try LargeDigits.rows(reading.value(.barBeat)) + [""]
      + LargeDigits.rows(reading.value(.timecode)) + ["", words.joined(separator: "  ")]
  }
}
