// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// Measures a master by following it: prints a line per second, and a line for each event.
struct MasterWatch {
  private static let period: Int64 = 1_000_000_000
  private static let step: Int64 = 50_000_000

  let source: SyncSource
  let json: Bool
  let duration: TypedTime?
  private var context: TimeContext
  /// The kind of time code and the detected frame rate; nil until they are known.
  private var code: MTCCode?
  private var recognized: FrameRate?
  /// The events that have not been shown yet.
  private let log = ClockLog()
  private var clock: Transport?
  private var news: MasterNews
  /// The time of the end, and of the next line, in nanoseconds of the monotonic clock.
  private var end = Int64.max
  private var next = Int64.max

  /// Prepares the measurement.
  ///
  /// - Throws: `Failure` if the clock is not served.
  init(_ source: SyncSource, json: Bool, duration: TypedTime?) throws {
    (self.source, self.json, self.duration) = (source, json, duration)
    news = MasterNews(of: source.kind)
    context = try TimeContext.standard()
    guard source.kind == .clock else { return }
    let state = try source.reader().read().value
    context.tempoMap = try state.tempoMap()
    context.meterMap = try state.meterMap()
  }

  /// Measures until a signal or the end of the time.
  ///
  /// - Throws: The error of a master that does not exist; `Failure` if the output cannot be
  ///   written.
  mutating func run() throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let log = log
    var sync = ClockSync()
    let (master, input) = try source.open(context: context, waits: false, loop: loop)
    (sync.master, sync.input) = (master, input?.input)
    sync.onEvent = { log.note($0) }
    signals.holdForCleanUp()
    // Used only by the clock from here on.
    nonisolated(unsafe) let given = sync
    let clock = try Transport(MusicClock(tempoMap: context.tempoMap), sync: unsafe given)
    defer { clock.end() }
    let start = DeadlineWait.now
    (end, next) = (duration?.after(start) ?? .max, start + Self.period)
    self.clock = clock
    let number = try loop.run(&self)
    clock.end()
    if let number { SignalWatch.die(by: number) }
  }

  private mutating func tell(_ event: FollowerEvent) throws {
    switch event {
    case .located(.timecode(let place)), .started(.timecode(let place), _),
      .jumped(.timecode(let place)):
      code = place.code
      context.frameRate = FrameRate(mtcCode: place.code)
    case .recognized(let rate): recognized = rate
    default: break
    }
    guard let words = news.sentence(about: event) else { return }
    try say(words, event.members(words))
  }

  private func report(_ clock: ClockSnapshot) throws {
    let now = HostTime(nanoseconds: DeadlineWait.now)
    var line = WatchedLine(source.kind)
    line.lock = clock.lock ?? .idle
    line.transport = clock.isRunning ? .running : .stopped
    line.set(clock.estimate)
    let place = TimePosition.ticks(try clock.ticks(at: now))
    if source.kind.isTimecode {
      if let code {
        let nominal = FrameRate(mtcCode: code)
        line.label = try text(of: place, in: .timecode)
        line.rate = (recognized ?? nominal, clock.estimate.map { nominal.speed(of: $0) })
      }
    } else {
      line.beat = try context.quarters(of: place).approximation
      line.tempo = clock.beatsPerMinute(at: now).map { ($0, nil) }
    }
    try say(line.text, line.members)
  }

  private func text(of place: TimePosition, in format: TimeFormat) throws -> String {
    try context.value(of: place, in: format, rounding: .floor).value
      .text(as: format, TimeValue.Style(), days: .wrap)
  }

  private func say(_ words: String, _ members: [(name: String, value: JSONValue)]) throws {
    if json {
      try Terminal.output(JSONValue.object([("v", 1)] + members))
    } else {
      try Terminal.output(words)
    }
  }
}

extension MasterWatch: RunLoopBody {
  var deadline: Int64? { min(next, end, DeadlineWait.now + Self.step) }

  mutating func turn() throws -> Bool {
    guard let clock, DeadlineWait.now < end else { return false }
    if let failure = clock.failure { throw failure }
    for case .master(let event) in log.take() { try tell(event) }
    guard DeadlineWait.now >= next else { return true }
    next += Self.period
    try report(clock.snapshot)
    return true
  }
}

extension FrameRate {
  /// The rate of the quarter frames relative to this frame rate.
  fileprivate func speed(of estimate: TickEstimate) -> Double {
    1e9 * Double(fpsDenominator) / Double(4 * fpsNumerator) / estimate.period
  }
}
