// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import JSONText
internal import MusicalTime
internal import Realtime

/// Prints where a clock is.
struct ClockFollow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Follow a clock and print its position in every format.",
    discussion: """
      A line each quarter note while the clock runs, with the position of that quarter note: bar \
      and beat, quarter notes, ticks, clock time, label, sample at --rate, tempo.

      EXAMPLES:
        downbeat clock follow -p UM-ONE
        downbeat clock follow --sync mtc:UM-ONE --song song.mid
        downbeat clock follow --sync clock:studio --every 100ms --json
      """)

  @OptionGroup var options: FollowOptions

  @Option(
    parsing: .unconditional, help: "The time between lines, such as 100ms. Default: a quarter note."
  )
  var every: Duration?

  @Flag(help: "Write one JSON document a line.")
  var json = false

  func run() throws {
    var last: Int64?
    try options.follow { lane, context in
      let now = HostTime(nanoseconds: DeadlineWait.now)
      guard let line = lane.master?.timeline(at: now) else { return last = nil }
      let place = try beat(at: now, on: line, context)
      guard place.number != last else { return }
      last = place.number
      let reading = try ClockReading(lane, at: place.time, tick: place.tick, in: context)
      try Terminal.output(json ? try reading.json.description : try reading.text)
    }
  }

  /// The quarter note under way: its number, when it began, and at which tick; or the number of
  /// the interval between lines.
  private func beat(
    at now: HostTime, on line: Timeline<Tick, HostTime>, _ context: TimeContext
  ) throws -> (number: Int64, time: HostTime, tick: Tick?) {
    if let every { return (now.nanoseconds / max(1, every.nanoseconds), now, nil) }
    let map = context.tempoMap
    let here = try line.count(at: now, rounding: .floor).value
    let beat = try map.quarters(at: Tick(here)).rounded(.floor).value
    let number = Int64(clamping: beat)
    let tick = try context.firstTick(of: .quarters(Ratio(number)))
    return (number, line.timeRoundedUp(atCount: tick.value), tick)
  }
}
