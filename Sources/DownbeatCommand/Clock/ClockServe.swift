// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Holds a clock that other programs read by its name.
struct ClockServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Hold a running clock under a name, for other programs to follow and to ask.",
    discussion: """
      It is read without waiting from memory that all programs share. With --sync the clock \
      follows another and passes it on. --control as in `clock send`.

      EXAMPLES:
        downbeat clock serve studio --bpm 90
        downbeat clock serve studio --song song.mid --control
        downbeat clock serve studio --sync midi:UM-ONE
        downbeat play song.mid --sync clock:studio
        downbeat convert --clock studio               which bar is it now?
        downbeat convert --clock studio 17.1.0 --to host
      """)

  @Argument(help: "The clock's name.")
  var name: String

  @OptionGroup var setting: ClockSetting

  @Option(parsing: .unconditional, help: "Where to start, such as 17.1.0 or 30s.")
  var from: String?

  @Option(help: "Follow midi:PORT, mtc:PORT or clock:NAME.")
  var sync: SyncSource?

  @Option(name: .customLong("for"), help: "End after a time, such as 10s.")
  var duration: Duration?

  @Flag(help: "Do not start yet.")
  var stopped = false

  @Flag(help: "Read commands from standard input.")
  var control = false

  func run() throws {
    let signals = SignalWatch()
    let wait = try SignalWait(signals)
    let context = try setting.context()
    let start = try from.map { try context.tick($0) } ?? .zero
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: context.tempoMap), sources: [], router: Router(),
      start: HostTime(nanoseconds: DeadlineWait.now))
    let keeper = try sync?.drive(scheduler.lanes[0], context: context, signals: wait) {
      if let words = $0.sentence { Terminal.say("downbeat: \(words)") }
    }
    signals.holdForCleanUp()
    let state = SharedClockState(tempoMap: context.tempoMap, meterMap: context.meterMap)
    let publisher = try SharedClockPublisher(name: name, state)
    if !state.isWhole {
      Terminal.report("clock '\(name)': the maps are long; readers know their beginning only")
    }
    let engine = try ClockEngine(
      scheduler, keeper: keeper ?? nil, publisher: publisher, state: state)
    if !stopped, sync == nil { engine.start(at: start) }
    let number = try engine.run(
      wait, for: duration, control: control ? ClockControl(context: context) : nil)
    publisher.withdraw()
    if let number { SignalWatch.die(by: number) }
  }
}

extension SharedSnapshotError: FailureDescribing {
  var exitStatus: ExitStatus {
    switch self {
    case .badName: .usage
    case .taken, .absent, .foreign: .noDevice
    case .noPermission: .noPermission
    case .refused: .ioError
    }
  }
}
