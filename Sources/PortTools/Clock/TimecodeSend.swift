// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIPorts
internal import MusicalTime

/// The command `downbeat mtc send`, which sends MIDI time code.
struct TimecodeSend: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send MIDI time code to ports.",
    discussion: """
      Sends a full frame, then quarter frames.

      EXAMPLES:
        downbeat mtc send -p UM-ONE --fps 25 --from 01:00:00:00
        downbeat mtc send -p UM-ONE --fps 29.97df --for 10s
        downbeat mtc send -p UM-ONE --from 00:01:00:00 --speed -0.5
      """)

  @OptionGroup var ports: PortOptions
  @OptionGroup var session: SessionOptions

  @Option(help: "Frame rate: 23.976, 24, 25, 29.97, 29.97df, 30.")
  var fps = FrameRate.standard.name

  @Option(parsing: .unconditional, help: "First time code to send.")
  var from = "00:00:00:00"

  @Option(
    parsing: .unconditional,
    help: "Speed, -32…32 except 0: 1 is normal, negative values run backwards.")
  var speed = "1"

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  @OptionGroup var delay: OffsetOption
  @OptionGroup var report: JSONOption

  func validate() throws {
    try session.check(ports.port.isEmpty, against: "--port")
    _ = try rate()
  }

  /// The speed without its sign, and true if time code runs backwards.
  private func rate() throws -> (speed: Ratio, isReversed: Bool) {
    do {
      let speed = try Ratio(parsing: speed)
      let size = speed < 0 ? -speed : speed
      guard size > 0, size <= MusicClock.maximumPlayRate else {
        throw ValidationError(
          "--speed \(self.speed): must be -32…32, but not 0")
      }
      return (size, speed < 0)
    } catch let error as TimeError {
      throw ValidationError("--speed \(speed): \(error)")
    }
  }

  private func firstLabel() throws -> Timecode {
    let rate = try FlagText("--fps", fps).frameRate()
    guard rate.nominal <= 30 else {
      throw Failure(
        .usage,
        "--fps \(fps): MIDI time code has at most 30 frames a second (use half the rate)")
    }
    let context = try TimeSetting(frameRate: rate).context().context
    try FlagText("--from", from).requireLabel()
    do {
      return try context.timecode(TimecodeText(parsing: from))
    } catch {
      throw FlagText("--from", from).failure("\(error)")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let first = try firstLabel()
    let outputs = try ports.openOutputs(
      named: "downbeat mtc", offsets: delay.offset, as: session, loop: loop)
    signals.holdForCleanUp()
    let (speed, isReversed) = try rate()
    let map = TimeContext.milliseconds
    let generator = MTCGenerator(tempoMap: map, offset: first)
    generator.isReversed = isReversed
    var sync = ClockSync()
    sync.outputs = outputs.members.outputs(of: generator)
    let clock = try Transport(MusicClock(tempoMap: map, playRate: speed), sync: sync)
    try clock.begin([("ports", PortReport.json(outputs.targets)), ("fps", .text(fps))])
    try clock.start(from: .zero)
    try ClockEngine(clock: clock, ports: [outputs]).run(loop, for: duration)
  }
}

extension TimeContext {
  /// A map with one tick per millisecond: 500 ticks in a quarter note of half a second.
  fileprivate static var milliseconds: TempoMap {
    guard let ppqn = PPQN(500) else { preconditionFailure("internal error: PPQN 500 was rejected") }
    return TempoMap(ppqn: ppqn)
  }
}
