// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Which clock is looked at, and in which maps its position is told.
struct FollowOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("A port that sends MIDI clock.", valueName: "client:port"))
  var port: String?

  @Option(help: "What to follow: midi:PORT, mtc:PORT or clock:NAME.")
  var sync: SyncSource?

  @OptionGroup var setting: ClockSetting

  @Option(name: .customLong("for"), help: "End after a time, such as 10s.")
  var duration: Duration?

  /// The master that the flags name.
  func source() throws -> SyncSource {
    let named = port.flatMap { SyncSource(argument: "midi:\($0)") }
    guard let source = sync ?? named, sync == nil || port == nil else {
      throw ValidationError("name what to follow: -p PORT, or --sync mtc:PORT or clock:NAME")
    }
    return source
  }

  /// The maps: those of the flags, or of the clock that is served.
  func context(of source: SyncSource) throws -> TimeContext {
    var context = try setting.context()
    context.sampleRate = .standard
    guard source.kind == .clock, setting.song == nil else { return context }
    let state = try SharedClockReader(name: source.target).read().value
    context.tempoMap = try state.tempoMap()
    context.meterMap = try state.meterMap()
    return context
  }

  /// Follows until a signal or the end of the time; `show` is called often, on this thread.
  func follow(
    every period: Int64, _ show: (EventLane, TimeContext) throws -> Void
  ) throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let source = try source()
    let context = try context(of: source)
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: context.tempoMap), sources: [], router: Router(),
      start: HostTime(nanoseconds: DeadlineWait.now))
    let lane = scheduler.lanes[0]
    try source.drive(lane, context: context, signals: wait) { event in
      if let words = event.sentence { Terminal.say("downbeat: \(words)") }
    }
    signals.holdForCleanUp()
    let deadline = duration.map { DeadlineWait.now + $0.nanoseconds } ?? .max
    var next = DeadlineWait.now
    while DeadlineWait.now < deadline {
      let limit = min(next, deadline)
      let outcome = wait.until(limit, readable: lane.masterInput?.descriptors ?? [])
      if case .signal(let number) = outcome { SignalWatch.die(by: number) }
      try scheduler.step(at: HostTime(nanoseconds: DeadlineWait.now))
      guard DeadlineWait.now >= next else { continue }
      next = max(next + period, DeadlineWait.now)
      try show(lane, context)
    }
  }
}

/// Prints where a clock is.
struct ClockFollow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Follow a clock and print its position in every format.",
    discussion: """
      A line each beat while the clock runs: bar and beat, quarter notes, ticks, clock time, \
      label, sample, tempo.

      EXAMPLES:
        downbeat clock follow -p UM-ONE
        downbeat clock follow --sync mtc:UM-ONE --song song.mid
        downbeat clock follow --sync clock:studio --every 100ms
      """)

  @OptionGroup var options: FollowOptions

  @Option(help: "The time between lines, such as 100ms. Default: a quarter note.")
  var every: Duration?

  func run() throws {
    var last: Int64?
    try options.follow(every: every?.nanoseconds ?? 5_000_000) { lane, context in
      guard lane.isRunning else { return last = nil }
      let now = HostTime(nanoseconds: DeadlineWait.now)
      let tick = lane.position(at: now).tick
      if every == nil {
        let beat = try context.tempoMap.quarters(at: tick).rounded(.floor).value
        guard beat != last else { return }
        last = beat
      }
      Terminal.output(try ClockLine(tick: tick, context: context, tempo: lane.tempo(at: now)).text)
    }
  }
}

/// Shows where a clock is in large digits.
struct ClockShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a clock in large digits: bar and beat, and time code.",
    discussion: """
      EXAMPLES:
        downbeat clock show -p UM-ONE
        downbeat clock show --sync clock:studio
      """)

  @OptionGroup var options: FollowOptions

  func run() throws {
    var isFirst = true
    try options.follow(every: 40_000_000) { lane, context in
      let now = HostTime(nanoseconds: DeadlineWait.now)
      let line = ClockLine(
        tick: lane.position(at: now).tick, context: context, tempo: lane.tempo(at: now))
      let rows =
        try LargeDigits.rows(line.barBeat) + [""] + LargeDigits.rows(line.label) + [
          "", "\(lane.isRunning ? "running" : "stopped")  \(line.tempoText)",
        ]
      // Up over the last picture, and each row to its end.
      let up = isFirst ? "" : "\u{1B}[\(rows.count)A"
      isFirst = false
      Terminal.picture(up + rows.map { $0 + "\u{1B}[K\n" }.joined())
    }
  }
}

extension EventLane {
  /// Quarter notes a minute at an instant; nil while the lane stands.
  func tempo(at now: HostTime) -> Double? {
    guard let line = master?.timeline(at: now),
      case .ppqn(let resolution)? = master?.tempoMap.division
    else { return nil }
    return 60e9 * Double(line.denominator)
      / (Double(line.numerator) * Double(resolution.ticks))
  }
}

/// A position in every format.
struct ClockLine {
  let tick: Tick
  let context: TimeContext
  let tempo: Double?

  private static let style = TimeValue.Style()

  var text: String {
    get throws {
      let formats: [TimeFormat] = [.barBeat, .beats, .ticks, .clock, .timecode, .samples]
      return try (formats.map(value) + [tempoText]).joined(separator: "  ")
    }
  }

  var tempoText: String { tempo.map { "\($0.decimal(2)) bpm" } ?? "- bpm" }

  var barBeat: String { get throws { try value(.barBeat) } }

  var label: String { get throws { try value(.timecode) } }

  private func value(_ format: TimeFormat) throws -> String {
    let position = TimePosition.ticks(Ratio(tick.value))
    return try context.value(of: position, in: format, rounding: .floor).value
      .text(as: format, Self.style, days: .wrap)
  }
}

/// Digits three cells wide and five high.
enum LargeDigits {
  private static let shapes: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"], "1": ["  #", "  #", "  #", "  #", "  #"],
    "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
    "|": [" # ", " # ", " # ", " # ", " # "], ":": ["   ", " # ", "   ", " # ", "   "],
    ";": ["   ", " # ", "   ", " # ", " # "], "-": ["   ", "   ", "###", "   ", "   "],
    ".": ["   ", "   ", "   ", "   ", " # "], "/": ["  #", "  #", " # ", "#  ", "#  "],
  ]

  /// The rows of a text; a character without a shape is a space.
  static func rows(_ text: String) -> [String] {
    (0..<5).map { row in
      text.map { shapes[$0]?[row] ?? "   " }.joined(separator: " ")
        .replacing("#", with: "█")
    }
  }
}
