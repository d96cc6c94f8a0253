// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import PlayerControl

/// The command `downbeat sound convert`, which converts sound files to other formats.
struct SoundConvert: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert sound files to another format, rate or channel count.",
    discussion: """
      The suffix of OUT selects the file format (downbeat sound formats lists them). Tags, markers, \
      regions, loops and the tempo are kept if OUT's format can store them; a message lists those \
      that it cannot. OUT is written completely or not at all. \
      From several files, folders or playlists, each sound becomes a file in the folder \
      --output-dir or OUT; subfolders are kept. Several files are converted in parallel, one per \
      processor. Files that cannot be converted are reported and skipped.

      IN can be a web address. Files are downloaded first. For a radio station --to gives the \
      length, such as --to 10min.

      EXAMPLES:
        downbeat sound convert song.wav -o song.flac
        downbeat sound convert song.flac -o song.wav --rate 48000 --bits 24
        downbeat sound convert song.wav -o song.caf --bits alac
        downbeat sound convert Album --output-dir phone --format m4a --bitrate 192k
        downbeat sound convert - -o - --format ogg --channels 1 < a.wav > a.ogg
        downbeat sound convert https://radio.example/live -o show.flac --to 30s
      """)

  @Argument(
    help: ArgumentHelp(
      "Sound files, folders, playlists and web addresses; - reads standard input.",
      valueName: "in"),
    completion: .sounds)
  var inputs: [String]

  @Option(
    name: [.short, .long],
    help: "File to write, or folder for several files; - is standard output.")
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Folder for one file per sound; created if it does not exist.",
      valueName: "folder"), completion: .directory)
  var outputDir: String?

  @OptionGroup var file: SoundFileOptions
  @OptionGroup var codec: CodecOptions

  @Option(
    parsing: .unconditional, help: "Start at this time in each file: 90s, 1:23.5, 48000smp.",
    transform: SongTime.init(parsing:))
  var from: SongTime?

  @Option(
    parsing: .unconditional, help: "End at this time in each file.",
    transform: SongTime.init(parsing:))
  var to: SongTime?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Sample rate, 1000…655350 Hz, such as 44.1k. Default: the source's rate.")
  var rate: RateChoice?

  @Option(parsing: .unconditional, help: "Number of channels, 1…1024. Default: as in the source.")
  var channels: Int?

  @Option(
    help: ArgumentHelp(
      "Byte order of the samples in aiff, caf and au: little or big. Default: big.",
      valueName: "order"), transform: Self.byteOrder(named:))
  var byteOrder: SoundFileWriter.ByteOrder?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Gain: decibels (-6dB, -6) or a factor (50%).",
    transform: { try Gain(typed: $0, for: "--gain ") })
  var gain = Gain(factor: 1)

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Files to convert in parallel, 1…256. Default: one per processor.")
  var threads: Int?

  @Flag(help: "Fail on truncated files instead of converting what is left.")
  var strict = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @OptionGroup var report: JSONOption

  var runs: Bool { false }
  var reportedFile: String? { inputs.count == 1 ? inputs[0] : nil }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    try BatchOutputs.check(output, folder: outputDir, inputs: inputs, of: .sounds)
    guard !codec.isBest else {
      throw ValidationError(
        "--quality best: available only in downbeat render (try a number in 0…1)")
    }
    try rate?.check("--rate", in: 1000...655_350)
    if let channels, !(1...1024).contains(channels) {
      throw ValidationError("--channels \(channels): not in 1…1024")
    }
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads \(threads): not in 1…256")
    }
  }

  private static func byteOrder(named text: String) throws -> SoundFileWriter.ByteOrder {
    guard let order = SoundFileWriter.ByteOrder(rawValue: text) else {
      throw ValidationError("--byte-order \(text): must be little or big")
    }
    return order
  }

  func run() throws {
    let signals = SignalWatch()
    // The signals for a file that exceeds the size limit and for a closed pipe are ignored, so that
    // the write error is reported.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let (sounds, tally) = try SongCollector(inputs, of: .sounds, takesAddresses: true).told()
    guard sounds.count == 1 || output != "-" else {
      throw Failure(
        .usage, "standard output: can receive only one sound (use --output-dir FOLDER)")
    }
    let suffix = ".\((file.format ?? .wav).suffixes[0])"
    let outputs = try BatchOutputs(
      BatchOutputs.Wish(output: output, outputDir: outputDir, suffix: suffix), sounds, of: .sounds)
    defer { outputs.cleanUp() }
    let files = FileBatch(
      kind: .sounds, verb: "converted", entries: sounds, outputs: outputs, signals: signals,
      threadCount: threads, isQuiet: quiet)
    let status = try SoundConvertBatch(options: self, files: files).run(tally)
    if let number = signals.signal {
      outputs.cleanUp()
      SignalWatch.die(by: number)
    }
    if status != .success { throw status }
  }
}
