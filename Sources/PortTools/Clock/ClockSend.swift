// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import JSONText
internal import MIDIPorts
internal import MusicalTime

/// The command `downbeat clock send`, which sends MIDI clock.
struct ClockSend: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send MIDI clock to ports, as the master of other machines.",
    discussion: """
      Sends Start, or song position and Continue, then clocks, and Stop at the end. With \
      --control, standard input controls the transport, one command per line: start, stop, \
      continue, locate TIME, tempo BPM, tap, quit. An empty line is a tap: press Return on each \
      beat to set the tempo.

      EXAMPLES:
        downbeat clock send -p UM-ONE --tempo 125
        downbeat clock send -p UM-ONE --song song.mid --from 17.1.0
        downbeat clock send -p UM-ONE --ramp 120-140/16
        downbeat clock send -p UM-ONE --while-stopped --control
        downbeat clock send -p 24:0 -p 28:0 --offset 0 --offset -15
      """)

  @OptionGroup var ports: PortOptions
  @OptionGroup var session: SessionOptions
  @OptionGroup var setting: ClockSetting

  @Option(
    parsing: .unconditional,
    help: "Send this song position, such as 17.1.0 or 30s, and Continue instead of Start.")
  var from: String?

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  @OptionGroup var delay: OffsetOption

  @Flag(help: "Send clocks but no Start: followers learn the tempo and wait.")
  var whileStopped = false

  @Flag(help: "Send clocks only between start and stop.")
  var onlyRunning = false

  @Flag(help: "Do not send song positions.")
  var noPosition = false

  @Flag(help: "Read commands from standard input.")
  var control = false

  @OptionGroup var report: JSONOption

  func validate() throws {
    try session.check(ports.port.isEmpty, against: "--port")
    guard !(whileStopped && onlyRunning) else {
      throw ValidationError("--while-stopped and --only-running cannot be used together")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let context = try setting.context()
    let start = try from.map { try context.tick($0) } ?? .zero
    let outputs = try ports.openOutputs(
      named: "downbeat clock", offsets: delay.offset, as: session, loop: loop)
    signals.holdForCleanUp()
    let generator = MIDIClockGenerator(
      tempoMap: context.tempoMap, sendsWhileStanding: !onlyRunning,
      sendsSongPosition: !noPosition)
    var sync = ClockSync()
    sync.outputs = outputs.members.outputs(of: generator)
    let clock = try Transport(MusicClock(context), sync: sync)
    try clock.begin([("ports", PortReport.json(outputs.targets))])
    if !whileStopped {
      try clock.start(from: start)
    } else if from != nil {
      try clock.locate(to: start)
    }
    try ClockEngine(clock: clock, ports: [outputs]).run(
      loop, for: duration, control: control ? ClockControl(context: context) : nil)
  }
}
