// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import AudioProcessing
internal import ClipPlayback
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The command `downbeat sound record`, which records from a sound device to a file.
struct SoundRecord: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record from a sound device to a file.",
    discussion: """
      Recording ends after --length, when it is interrupted, or when the device is lost (unless \
      --on-device-loss is wait). The file is complete in each case. If the device returns, further \
      sound is appended, and its position in the file is reported. If another program creates a \
      file of the same name during the recording, the recording gets another name, such as \
      take-2.flac.

      EXAMPLES:
        downbeat sound record -o take.flac
        downbeat sound record -o take.wav --length 10s --channels 1 --bits 24
      """)

  @Option(name: [.short, .long], help: "File to write.")
  var output: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Sound device: auto (JACK or PipeWire if one runs, otherwise alsa), alsa (ALSA's default),"
        + " jack or pipewire, one of their clients (jack:CLIENT), or an ALSA device; 'downbeat"
        + " devices' lists the inputs.",
      valueName: "device"),
    completion: .inputs)
  var audio = InputDevice.standard

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Sample rate, 8000…192000 Hz, such as 44.1k.")
  var rate = RateChoice.standard

  @Option(parsing: .unconditional, help: "Number of channels, 1…32.")
  var channels = 2

  @Option(help: "Bits per sample: 8, 16, 24, 32 or float. Default: depends on the file format.")
  var bits: String?

  @Option(
    name: [.long, .customLong("for")], parsing: .unconditional,
    help: "Length of the recording: 10s, 1:30, 48000smp.",
    transform: SongTime.init(parsing:))
  var length: SongTime?

  @Option(
    help: ArgumentHelp(
      "If the sound device is lost: wait for its return, or stop.",
      valueName: "what"))
  var onDeviceLoss = LossPolicy.stop

  @Flag(help: "Replace OUT if it exists.")
  var overwrite = false

  @Flag(name: [.short, .long], help: "Do not show the level meter.")
  var quiet = false

  @OptionGroup var report: JSONOption

  /// The value of `--on-device-loss`.
  enum LossPolicy: String, ExpressibleByArgument, CaseIterable {
    case wait, stop
  }

  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    try rate.check("--rate", in: 8000...192_000)
    guard (1...32).contains(channels) else {
      throw ValidationError("--channels \(channels): not in 1…32")
    }
    if let bits, SoundFileFormat.Encoding(rawValue: bits) == nil {
      throw ValidationError("--bits \(bits): not 8, 16, 24, 32 or float")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    // A wrong length is reported before the device is opened.
    _ = try length?.frame(in: MusicSequence(), rate: .hertz48000)
    let encoding = bits.flatMap { SoundFileFormat.Encoding(rawValue: $0) }
    let format = try SoundFileFormat(path: output, encoding: encoding)
    signal(SIGXFSZ, SIG_IGN)
    // Latency does not matter for a recording, so the buffer is long enough for a busy computer.
    var device = InputDevice(name: audio, rate: rate, channelCount: channels, periodCount: 64)
    if onDeviceLoss == .wait { device.patience = SharedJACKClient.patience }
    let input = try device.open(without: "connect one; --audio null records silence")
    let rate = input.rate
    let limit = try length?.frame(in: MusicSequence(), rate: rate) ?? .max
    // After this point, a signal must not end the process before the file is complete.
    signals.holdForCleanUp()
    var options = SoundFileWriter.Options()
    options.mayReplace = overwrite
    options.takesFreeName = true
    let writer = try SoundFileWriter(
      path: output, format: format, channelCount: channels, rate: rate, options: options)
    let recorder = try SoundRecorder(writer, rate: rate, frameLimit: Int(limit))
    try JSONReport.begin([("device", .text(device.name(of: input))), ("output", .path(output))])
    defer { reportGaps(input, recorder) }
    try record(input, recorder, until: signals)
    let isOther = writer.path != output
    if report.json {
      try WrittenFile.sound(writer.path, from: nil, kind: format.container)
        .tell(isOther ? .partial : .success)
    }
    if isOther {
      Terminal.report(
        "\(output): another program has created this file; the recording is saved as \(writer.path)"
      )
      throw ExitStatus.partial
    }
  }

  private func reportGaps(_ input: any SoundInput, _ recorder: SoundRecorder) {
    guard input.xrunCount + recorder.lostFrameCount > 0 else { return }
    JSONReport.tell(
      "gaps",
      [("count", .integer(input.xrunCount)), ("lostFrames", .integer(recorder.lostFrameCount))])
    Terminal.report(
      "\(output): \(input.xrunCount.counted("gap")), "
        + "\(recorder.lostFrameCount.counted("frame")) lost")
  }

  private func record(
    _ input: any SoundInput, _ recorder: SoundRecorder, until signals: SignalWatch
  ) throws {
    let isShown = !quiet && Terminal.isInteractive
    defer { if isShown { StatusLine.clear() } }
    var shown = 0
    var taken = 0
    var isAway = false
    do {
      try recorder.record {
        guard signals.signal == nil else { return nil }
        // About ten times per second.
        if isShown, shown > channels * Int(input.rate.hertz) / 10 {
          shown = 0
          StatusLine.show(Self.meter(recorder.level))
        }
        // The samples that were received before the device was lost still belong to the first part.
        let isGone = input.isAway
        let samples = try input.read()
        if isAway ? !isGone || !samples.isEmpty : isGone && samples.isEmpty {
          isAway.toggle()
          try tell(isAway, after: taken, at: input.rate)
        }
        shown += samples.count
        taken += samples.count / channels
        return samples
      }
    } catch let error as any FailureDescribing where recorder.frameCount > 0 {
      throw Failure(
        error.exitStatus,
        "\(error) (\(output) contains the \(recorder.frameCount) frames recorded before)")
    }
  }

  /// Reports that the device was lost or is back, with its position in the file.
  ///
  /// - Throws: `Failure` if the recording ends when the device is lost.
  private func tell(
    _ isAway: Bool, after frames: Int, at rate: SampleRate
  ) throws(Failure) {
    let seconds = Ratio(Int64(frames), over: Int64(rate.hertz)).decimal(3)
    if isAway {
      JSONReport.tell("device-lost")
      guard onDeviceLoss == .wait else { throw Failure(.ioError, "the sound device is gone") }
      Terminal.report("the sound device is gone at \(seconds) s; waiting for its return")
    } else {
      JSONReport.tell("device-back", [("device", .text(audio))])
      Terminal.report("the sound device is back; recording continues at \(seconds) s")
    }
  }

  private static func meter(_ levels: SoundRecorder.Levels) -> String {
    "left \(bar(levels.left)) right \(bar(levels.right))"
  }

  /// Returns a bar with one character for every 3 dB above −60 dB.
  private static func bar(_ level: Level) -> String {
    let decibels = level.peak > 0 ? Level.decibels(level.peak) : -60
    let filled = Int((min(0, max(-60, decibels)) + 60) / 3)
    return String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
  }
}
