// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Sends MIDI clock.
struct ClockSend: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send MIDI clock to ports: be the master of other machines.",
    discussion: """
      Start, clocks, and Stop at the end. With --control the transport is led from standard \
      input, one command a line: start, stop, continue, locate TIME, tempo BPM, tap, quit; an \
      empty line is a tap, so that Return beats the tempo.

      EXAMPLES:
        downbeat clock send -p UM-ONE --bpm 125
        downbeat clock send -p UM-ONE --song song.mid --from 17.1.0
        downbeat clock send -p UM-ONE --ramp 120-140/16
        downbeat clock send -p UM-ONE --while-stopped --control
      """)

  @OptionGroup var ports: PortOptions
  @OptionGroup var setting: ClockSetting

  @Option(parsing: .unconditional, help: "Where to start, such as 17.1.0 or 30s: Continue.")
  var from: String?

  @Option(name: .customLong("for"), help: "End after a time, such as 10s.")
  var duration: Duration?

  @Option(parsing: .unconditional, help: "Milliseconds by which everything is later; or earlier.")
  var offset = 0.0

  @Flag(help: "Send clocks and no Start: followers learn the tempo and wait.")
  var whileStopped = false

  @Flag(help: "Send no clocks before the start and after a stop.")
  var onlyRunning = false

  @Flag(help: "Send no song positions.")
  var noPosition = false

  @Flag(help: "Read commands from standard input.")
  var control = false

  func validate() throws {
    guard abs(offset) <= 1000 else {
      throw ValidationError("--offset \(offset): at most a second either way")
    }
    guard !(whileStopped && onlyRunning) else {
      throw ValidationError("--while-stopped and --only-running exclude each other")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let context = try setting.context()
    let start = try from.map { try context.tick($0) } ?? .zero
    let port = try ports.openOutput(named: "downbeat clock", signals: wait)
    signals.holdForCleanUp()
    let generator = MIDIClockGenerator(
      tempoMap: context.tempoMap, sendsWhileStanding: !onlyRunning,
      sendsSongPosition: !noPosition)
    let scheduler = EventScheduler.sending([generator], of: context.tempoMap, to: port, offset)
    let engine = try ClockEngine(scheduler, port: port)
    if !whileStopped { engine.start(at: start) }
    let deadline = duration.map { DeadlineWait.now + ClockEngine.lead + $0.nanoseconds }
    let number = try engine.wait(
      wait, until: deadline, control: control ? ClockControl(context: context) : nil)
    try engine.stop()
    if let number { SignalWatch.die(by: number) }
  }
}

/// Sends MIDI time code.
struct TimecodeSend: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send MIDI time code to ports.",
    discussion: """
      A full frame, then quarter frames. Rates above 30 go out halved, thirded or quartered.

      EXAMPLES:
        downbeat mtc send -p UM-ONE --fps 25 --from 01:00:00:00
        downbeat mtc send -p UM-ONE --fps 29.97df --for 10s
        downbeat mtc send -p UM-ONE --from 00:01:00:00 --speed -0.5
      """)

  @OptionGroup var ports: PortOptions

  @Option(help: "Frame rate: 24, 25, 29.97df, 30 and 19 others. Default 25.")
  var fps = "25"

  @Option(parsing: .unconditional, help: "The first label. Default 00:00:00:00.")
  var from = "00:00:00:00"

  @Option(parsing: .unconditional, help: "How fast time runs: 1 as the rate says; below 0 back.")
  var speed = "1"

  @Option(name: .customLong("for"), help: "End after a time, such as 10s.")
  var duration: Duration?

  @Option(parsing: .unconditional, help: "Milliseconds by which everything is later; or earlier.")
  var offset = 0.0

  func validate() throws {
    guard abs(offset) <= 1000 else {
      throw ValidationError("--offset \(offset): at most a second either way")
    }
    _ = try rate()
  }

  /// The speed without its sign, and whether time runs backwards.
  private func rate() throws -> (speed: Ratio, isReversed: Bool) {
    do {
      let speed = try Ratio(parsing: speed)
      let size = speed < 0 ? -speed : speed
      guard size > 0, size <= MusicClock.maximumPlayRate else {
        throw ValidationError("--speed \(self.speed): above 0 and at most 32, or its negative")
      }
      return (size, speed < 0)
    } catch let error as TimeError {
      throw ValidationError("--speed \(speed): \(error)")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let setting = try ConvertSetting.parse(["--fps=\(fps)", "--smpte-offset=\(from)"])
    let first = try setting.context(markers: false).context.labelOffset
    let port = try ports.openOutput(named: "downbeat mtc", signals: wait)
    signals.holdForCleanUp()
    let (speed, isReversed) = try rate()
    let map = TimeContext.milliseconds
    let generator = MTCGenerator(tempoMap: map, offset: first)
    generator.isReversed = isReversed
    let scheduler = EventScheduler.sending(
      [generator], of: map, to: port, offset, playRate: speed)
    let engine = try ClockEngine(scheduler, port: port)
    engine.start(at: .zero)
    let deadline = duration.map { DeadlineWait.now + ClockEngine.lead + $0.nanoseconds }
    let number = try engine.wait(wait, until: deadline)
    try engine.stop()
    if let number { SignalWatch.die(by: number) }
  }
}

extension TimeContext {
  /// A map in which a tick is a millisecond: 500 to a quarter note of half a second.
  fileprivate static var milliseconds: TempoMap {
    guard let ppqn = PPQN(500) else { preconditionFailure("500 is a resolution") }
    return TempoMap(ppqn: ppqn)
  }
}

extension PortOptions {
  /// Opens a port that sends to those named.
  func openOutput(named name: String, signals: SignalWait) throws -> OutputPort {
    let client = try ALSAClient(name: name)
    let targets = try endpoints(.destination, of: client, signals: signals)
    let port = try OutputPort(client, name: "out")
    for target in targets { try port.connect(to: target) }
    if targets.isEmpty { Terminal.say("downbeat: sending from port \(port.address)") }
    return port
  }
}

extension EventScheduler {
  /// A scheduler of generators alone, 20 ms ahead: a change of tempo is heard 25 ms later at most.
  static func sending(
    _ generators: [any ClockGenerator], of map: TempoMap, to sink: any EventSink,
    _ milliseconds: Double, playRate: Ratio = 1
  ) -> EventScheduler {
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map, playRate: playRate), sources: [], router: Router(),
      start: HostTime(nanoseconds: DeadlineWait.now))
    let destination = scheduler.router.addDestination(sink, delay: Int64(milliseconds * 1e6))
    scheduler.router.addRoute(Route(to: destination))
    scheduler.lanes[0].generators = generators
    return scheduler
  }
}

extension ClockEngine {
  /// How far ahead a start lies, in nanoseconds: followers are told before.
  static let lead: Int64 = 100_000_000

  func start(at tick: Tick) {
    let time = HostTime(nanoseconds: DeadlineWait.now + Self.lead)
    perform { try $0.start(at: tick, time: time) }
  }
}
