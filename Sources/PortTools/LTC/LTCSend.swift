// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import LinearTimecode
internal import MusicalTime
internal import PlayerControl

/// The command `downbeat ltc send`, which writes linear timecode to a file or plays it on a device.
struct LTCSend: ReportingCommand, SoundingCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Play linear time code (LTC) on a sound device, or write it to a file.",
    discussion: """
      The first frame starts at the first sample; every other frame starts at the first sample at \
      or after its time, so the time code does not drift. A file has one channel and is written \
      completely or not at all. The file ends with the start of one more frame, because readers \
      need that to decode the last frame. A device plays the time code on both channels.

      EXAMPLES:
        downbeat ltc send -o hour.wav --fps 25 --from 01:00:00:00 --for 1h
        downbeat ltc send -o reel.flac --fps 29.97df --from "00:59:50;00" --for 20m
        downbeat ltc send --audio hw:1 --fps 24 --level -12dB
      """)

  @Option(name: [.short, .long], help: "File to write; - is standard output.")
  var output: String?

  @OptionGroup var file: SoundFileOptions
  @OptionGroup var device: OutputDeviceOptions

  @Option(help: "Frame rate: 23.976, 24, 25, 29.97, 29.97df, 30.")
  var fps = FrameRate.standard.name

  @Option(parsing: .unconditional, help: "First time code to send.")
  var from = "00:00:00:00"

  @Option(parsing: .unconditional, help: "End before this time code.")
  var to: String?

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  @Flag(help: "Count backwards, like a tape that plays in reverse.")
  var reverse = false

  @Option(
    parsing: .unconditional,
    help: "Level in dBFS, -50…0 (-18dB or -18), or a factor (12.5%).",
    transform: { try Gain(parsing: $0) })
  var level = Gain(factor: 0.125)

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Sample rate, 8000…192000 Hz, such as 44.1k.")
  var rate = RateChoice.standard

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @OptionGroup var report: JSONOption

  var runs: Bool { output == nil }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    try device.checkLoss([.wait, .stop], "time code cannot move to another device")
    try rate.check("--rate", in: 8000...192_000)
    guard (0.003...1).contains(level.factor) else {
      throw ValidationError("--level: not in -50dB…0dB or 0.3%…100% (try -18dB)")
    }
    guard to == nil || duration == nil else {
      throw ValidationError("--to and --for each set the end (use one of them)")
    }
    guard output == nil || to != nil || duration != nil else {
      throw ValidationError("--output: needs a length (add --for 10m, or --to TIMECODE)")
    }
    guard output == nil || device.audio == .auto else {
      throw ValidationError("--output and --audio cannot be used together")
    }
  }

  func askServers() { device.askForTurns(at: rate.rate) }

  func run() throws {
    let signals = SignalWatch()
    let first = try label("--from", from)
    var encoder: LTCEncoder
    do {
      encoder = try LTCEncoder(from: first, sampleRate: rate.rate, isReversed: reverse)
    } catch {
      throw Failure(.usage, "\(error)")
    }
    encoder.amplitude = level.factor
    let count = try frameCount(from: first)
    if let output {
      try write(&encoder, count ?? 0, to: output, signals)
      // An incomplete file has already been removed.
      if let number = signals.signal { SignalWatch.die(by: number) }
    } else {
      var player = LTCPlayer(encoder, frameCount: count, from: first)
      try player.play(on: device, isQuiet: quiet, until: signals)
    }
  }

  private func label(_ flag: String, _ text: String) throws -> Timecode {
    let rate = try FlagText("--fps", fps).frameRate()
    let context = try TimeSetting(frameRate: rate).context().context
    try FlagText(flag, text).requireLabel()
    do {
      return try context.timecode(TimecodeText(parsing: text))
    } catch {
      throw FlagText(flag, text).failure("\(error)")
    }
  }

  /// The number of frames; nil for no end.
  private func frameCount(from first: Timecode) throws -> Int64? {
    if let to {
      let end = try label("--to", to)
      let day = first.rate.framesPerDay
      let distance = reverse ? first.count - end.count : end.count - first.count
      let count = (distance % day + day) % day
      guard count > 0 else {
        throw Failure(
          .usage, "--to \(to): same as the start (for a whole day: --for 24h)",
          options: ["--to", "--for"])
      }
      return count
    }
    guard let duration else { return nil }
    let (numerator, denominator) = (first.rate.fpsNumerator, first.rate.fpsDenominator)
    let span = Int128(denominator) * 1_000_000_000
    let count = (Int128(duration.nanoseconds) * Int128(numerator) + span - 1) / span
    guard count > 0 else { throw Failure(.usage, "--for: shorter than one frame") }
    return Int64(clamping: count)
  }
}

extension LTCSend {
  /// Writes the file; after a signal, nothing is kept.
  private func write(
    _ encoder: inout LTCEncoder, _ count: Int64, to output: String, _ signals: SignalWatch
  ) throws {
    let isPipe = output == "-"
    try file.check(output)
    let format = try file.format(for: output)
    let total = encoder.start(ofFrame: count).frames + Int64(encoder.closingSamples)
    guard total < 1 << 40 else {
      throw Failure(.usage, "--for: the file would be too long (try --for 24h)")
    }
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    if !isPipe { signals.holdForCleanUp() }
    var options = SoundFileWriter.Options()
    options.mayReplace = file.overwrite
    options.expectedFrameCount = Int(total)
    options.dither = file.dither ?? .none
    let writer = try SoundFileWriter(
      path: isPipe ? "standard output" : output,
      descriptor: isPipe ? Console.current.outputDescriptor : nil, format: format, channelCount: 1,
      rate: encoder.sampleRate, options: options)
    var bar = ProgressBar(label: output, rate: encoder.sampleRate, frameCount: total)
    defer { bar.clear() }
    var samples: [Float] = []
    var done: Int64 = 0
    while done < total {
      guard signals.signal == nil else { return }
      samples.removeAll(keepingCapacity: true)
      encoder.append(Int(min(total - done, 48_000)), to: &samples)
      try writer.write(samples.span)
      done += Int64(samples.count)
      bar.show(Double(done) / Double(total))
    }
    try writer.finish()
    if report.json {
      try WrittenFile.sound(output, from: nil, kind: format.container).tell()
    }
  }
}
