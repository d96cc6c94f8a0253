// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import LinearTimecode
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// The command `downbeat ltc watch`, which reads linear timecode from a sound file or a device.
struct LTCWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Read linear time code (LTC) from a sound file or device.",
    discussion: """
      Prints a line per second, a line each time the time code starts, jumps or has gaps, and at \
      the end the number of frames; with --frames, a line per frame. Times and samples are counted \
      from the start of the sound. The first channel with time code is read. A frame is reported \
      only if a second frame confirms it, so music, noise and dropouts give no false frames.

      EXAMPLES:
        downbeat ltc watch tape.wav
        downbeat ltc watch tape.wav --frames --json | jq -r .label
        downbeat ltc watch --audio hw:1 --for 60s
      """)

  @Argument(
    help: ArgumentHelp("Sound file; - reads standard input.", valueName: "file"),
    completion: .sounds)
  var file: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Input device, as in `sound record`. Default: auto.",
      valueName: "device"),
    completion: .inputs)
  var audio: String?

  @Option(help: "Frame rate, if known: 23.976, 24, 25, 29.97, 29.97df, 30.")
  var fps: String?

  @Option(
    parsing: .unconditional,
    help: "Number of the channel to read, 1 or greater. Default: the first channel with time code.")
  var channel: Int?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Sample rate of the device, 8000…192000 Hz.")
  var rate = RateChoice.standard

  @Option(parsing: .unconditional, help: "Channels of the device, 1…32.")
  var channels = 2

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  @Flag(help: "Print a line for each frame.")
  var frames = false

  @Flag(help: "Print one JSON document per line.")
  var json = false

  func validate() throws {
    try rate.check("--rate", in: 8000...192_000)
    guard (1...32).contains(channels) else {
      throw ValidationError("--channels \(channels): not in 1…32")
    }
    guard file == nil || audio == nil else {
      throw ValidationError("--audio: cannot be used with a file")
    }
    if let channel, !(1...1024).contains(channel) {
      throw ValidationError("--channel \(channel): not in 1…1024")
    }
  }

  func run() throws {
    let counting = try fps.map { try FlagText("--fps", $0).frameRate() }
    if let counting, counting.nominal > 30 {
      throw FlagText("--fps", counting.name).failure("\(LTCError.tooFast(counting))")
    }
    if let file {
      try read(file, counting)
    } else {
      try hear(counting)
    }
  }

  private func watcher(_ rate: SampleRate, _ count: Int, _ counting: FrameRate?) throws -> LTCReport
  {
    if let channel, channel > count {
      throw FlagText("--channel", "\(channel)").failure("the sound has \(count.counted("channel"))")
    }
    return LTCReport(
      LTCListener(
        sampleRate: rate, channelCount: count, among: channel.map { [$0 - 1] },
        counting: counting), json: json, eachFrame: frames)
  }

  private func read(_ path: String, _ counting: FrameRate?) throws {
    let reader = try SoundSource(path).open()
    var report = try watcher(reader.rate, reader.channelCount, counting)
    let end = duration.map { frames(of: $0, at: reader.rate) } ?? .max
    while report.listener.position < end {
      let part = Int(min(4096, end - report.listener.position))
      let samples = reader.read(frameCount: part)
      guard !samples.isEmpty else { break }
      try report.take(samples.span)
    }
    try report.finish()
    guard report.listener.frameCount > 0 else {
      throw Failure(
        .badData, "\(path): contains no linear time code (downbeat sound info shows its format)")
    }
    guard let shortfall = reader.shortfall else { return }
    Terminal.report("\(reader.path): \(shortfall)")
    throw ExitStatus.partial
  }

  private func hear(_ counting: FrameRate?) throws {
    let signals = SignalWatch()
    let input = try device.open(without: "name a sound file instead")
    signals.holdForCleanUp()
    var report = try watcher(input.rate, input.channelCount, counting)
    try listen(to: input, &report, until: signals)
    try report.finish()
    if input.xrunCount > 0 {
      Terminal.report(
        "sound was lost \(input.xrunCount.counted("time")): the computer was too busy")
    }
    if let number = signals.signal { SignalWatch.die(by: number) }
  }

  private func listen(
    to input: any SoundInput, _ report: inout LTCReport, until signals: SignalWatch
  ) throws {
    let end = duration.map { frames(of: $0, at: input.rate) } ?? .max
    let deadline = duration?.after(DeadlineWait.now) ?? .max
    while signals.signal == nil, report.listener.position < end, DeadlineWait.now < deadline {
      let samples = try input.read()
      try report.take(samples.span)
    }
  }

  private var device: InputDevice {
    InputDevice(
      name: audio ?? InputDevice.standard, rate: rate, channelCount: channels)
  }

  private func frames(of time: TypedTime, at rate: SampleRate) -> Int64 {
    Int64(clamping: Int128(time.nanoseconds) * Int128(rate.hertz) / 1_000_000_000)
  }
}
