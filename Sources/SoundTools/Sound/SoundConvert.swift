// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import PlayerControl

/// `downbeat sound convert`: sound files made into others.
struct SoundConvert: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert sound files to another kind, rate or shape.",
    discussion: """
      The suffix of OUT names the kind of file (downbeat sound formats lists them). Tags, markers \
      and loops go along where both kinds hold them. OUT appears whole, or not at all. Several \
      files, folders of them and playlists give one file each in the folder --output-dir, or OUT, \
      and in folders in it as they lie in theirs: several at once, one a processor. What cannot be \
      converted is told and left out.

      EXAMPLES:
        downbeat sound convert song.wav -o song.flac
        downbeat sound convert song.flac -o song.wav --rate 48000 --bits 24
        downbeat sound convert Album --output-dir phone --format m4a --bitrate 192k
        downbeat sound convert - -o - --format ogg --channels 1 < a.wav > a.ogg
      """)

  @Argument(
    help: ArgumentHelp(
      "The sound files, folders of them and playlists; - reads standard input.", valueName: "in"),
    completion: .sounds)
  var inputs: [String]

  @Option(
    name: [.short, .long],
    help: "The file to write, or the folder for several; - is standard output.")
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The folder for a file of each sound; it is made where it is not there.",
      valueName: "folder"), completion: .directory)
  var outputDir: String?

  @OptionGroup var file: SoundFileOptions
  @OptionGroup var codec: CodecOptions

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Frames a second, 1000…655350, such as 44.1k; without it the source's.")
  var rate: RateChoice?

  @Option(parsing: .unconditional, help: "Channels, 1…1024; without it the source's.")
  var channels: Int?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Gain: decibels (-6dB, -6) or a factor (50%).",
    transform: { try Gain(parsing: $0) })
  var gain = Gain(factor: 1)

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "How many files are converted at once, 1…256; without it one a processor.")
  var threads: Int?

  @Flag(help: "Refuse a file that was cut off instead of converting what there is of it.")
  var strict = false

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @OptionGroup var report: JSONOption

  var runs: Bool { false }
  var reportedFile: String? { inputs.count == 1 ? inputs[0] : nil }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    guard (output == nil) != (outputDir == nil) else {
      throw ValidationError(
        "name the file to write with -o, or a folder for several with --output-dir")
    }
    guard !codec.isBest else {
      throw ValidationError("--quality best: only when a song is rendered (a number: 0…1)")
    }
    try rate?.check("--rate", in: 1000...655_350)
    if let channels, !(1...1024).contains(channels) {
      throw ValidationError("--channels \(channels): 1…1024")
    }
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads \(threads): 1…256")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    // A file that grows past a limit, or a pipe that closes, is an error to report.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let (sounds, tally) = try SongCollector(inputs, of: .sounds).told()
    guard sounds.count == 1 || output != "-" else {
      throw Failure(
        .usage, "several sounds do not go to standard output: name a folder with --output-dir")
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
