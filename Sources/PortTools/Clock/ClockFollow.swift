// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import Glibc
internal import JSONText
internal import MusicalTime
internal import PlayerViews
internal import Realtime

/// The command `downbeat clock follow`, which prints the position of a clock.
struct ClockFollow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Follow a clock and print its position in every format.",
    discussion: """
      Prints a line per quarter note while the clock runs, with the position of that quarter note: \
      bar and beat, quarter notes, ticks, minutes and seconds, time code, sample (at the sample \
      rate of --rate) and tempo. On a terminal, a live display shows the position instead, unless \
      --plain, --every or --json is given.

      EXAMPLES:
        downbeat clock follow -p UM-ONE
        downbeat clock follow mtc:UM-ONE --song song.mid
        downbeat clock follow --rtp 'bar counter'     for other machines to join
        downbeat clock follow --sync clock:studio --every 100ms --json
      """)

  @OptionGroup var options: FollowOptions

  @Option(
    parsing: .unconditional, help: "Time between lines, such as 100ms. Default: a quarter note."
  )
  var every: TypedTime?

  @Flag(help: "Print one JSON document per line.")
  var json = false

  @OptionGroup(title: "Terminal") var live: LiveOptions

  func run() throws {
    var last: Int64?
    // Lines in a file or pipe were requested.
    let isLines = json || every != nil || !Console.current.isOutputTerminal
    try options.follow(live: { isLines ? nil : try live.display(isQuiet: false, $0) }) {
      clock, context in
      let now = HostTime(nanoseconds: DeadlineWait.now)
      guard clock.isRunning, let place = try beat(at: now, of: clock, context) else {
        return last = nil
      }
      guard place.number != last else { return }
      last = place.number
      let reading = try ClockReading(clock, at: place.time, tick: place.tick, in: context)
      if json {
        try Terminal.output(reading.json)
      } else {
        try Terminal.output(reading.text)
      }
    }
  }

  /// The current quarter note: its number, and its start as a time and a tick; with `--every`, the
  /// number of the interval.
  private func beat(
    at now: HostTime, of clock: ClockSnapshot, _ context: TimeContext
  ) throws -> (number: Int64, time: HostTime, tick: Tick?)? {
    if let every { return (now.nanoseconds / max(1, every.nanoseconds), now, nil) }
    let here = try clock.ticks(at: now).rounded(.floor, unit: "ticks").value
    let beat = try context.tempoMap.quarters(at: Tick(here)).rounded(.floor).value
    let number = Int64(clamping: beat)
    let tick = try context.firstTick(of: .quarters(Ratio(number)))
    let time = clock.time(of: tick, from: HostTime(nanoseconds: .min))
    return time.map { (number, $0, tick) }
  }
}
