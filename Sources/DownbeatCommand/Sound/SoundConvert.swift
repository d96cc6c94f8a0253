// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import Glibc
internal import JSONText

/// `downbeat sound convert`: a sound file made into another.
struct SoundConvert: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert a sound file to another kind, rate or shape.",
    discussion: """
      The suffix of OUT names the kind of file (downbeat sound formats lists them). Tags, markers \
      and loops go along where both kinds hold them. OUT appears whole, or not at all.

      EXAMPLES:
        downbeat sound convert song.wav -o song.flac
        downbeat sound convert song.flac -o song.wav --rate 48000 --bits 24
        downbeat sound convert - -o - --format ogg --channels 1 < a.wav > a.ogg
      """)

  @Argument(
    help: ArgumentHelp("The sound file; - reads standard input.", valueName: "in"),
    completion: .sounds)
  var input: String

  @Option(name: [.short, .long], help: "The file to write; - is standard output.")
  var output: String

  @OptionGroup var file: SoundFileOptions

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Frames a second, 1000…655350, such as 44.1k; without it the source's.")
  var rate: RateChoice?

  @Option(parsing: .unconditional, help: "Channels, 1…1024; without it the source's.")
  var channels: Int?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: "Gain: a factor (0.5) or decibels (-6dB).",
    transform: { try Gain(parsing: $0) })
  var gain = Gain(factor: 1)

  @Flag(help: "Refuse a file that was cut off instead of converting what there is of it.")
  var strict = false

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @OptionGroup var report: JSONOption

  var runs: Bool { false }
  var reportedFile: String? { input }
  var reportedOutput: String? { output }

  func validate() throws {
    try report.check(output)
    try rate?.check("--rate", in: 1000...655_350)
    if let channels, !(1...1024).contains(channels) {
      throw ValidationError("--channels \(channels): 1…1024")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let conversion = try conversion()
    let isPipe = output == "-"
    try file.check(output)
    // A file that grows past a limit, or a pipe that closes, is an error to report.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let source = try SoundSource(input).open()
    // Until here, and where a pipe takes it, there is nothing to clean up, and much to wait for.
    if !isPipe { signals.holdForCleanUp() }
    var bar = ProgressBar(label: input)
    defer { bar.clear() }
    let done = try conversion.run(
      from: source, to: isPipe ? "standard output" : output,
      descriptor: isPipe ? STDOUT_FILENO : nil
    ) { part in
      bar.show(part)
      return signals.signal == nil
    }
    bar.clear()
    if let number = signals.signal { SignalWatch.die(by: number) }
    if report.json, let done { try tell(done, of: source.path) }
    if let count = done?.clampedSampleCount, count > 0, !quiet {
      Terminal.report("\(output): \(count) samples were too loud and clipped (try --gain -3dB)")
    }
    if let shortfall = done?.shortfall {
      if !quiet { Terminal.report("\(source.path): \(shortfall)") }
      throw ExitStatus.partial
    }
  }

  private func tell(_ done: SoundFileConversion.Report, of name: String) throws {
    var written = try WrittenFile.sound(
      output, from: name, kind: try file.format(for: output).container)
    written.add("clippedSamples", .integer(done.clampedSampleCount))
    written.add("shortfall", JSONReport.text(done.shortfall.map { "\($0)" }))
    written.tell(done.shortfall == nil ? .success : .partial)
  }

  private func conversion() throws -> SoundFileConversion {
    var conversion = SoundFileConversion(to: try file.format(for: output))
    conversion.rate = rate?.rate
    conversion.channelCount = channels
    conversion.dither = file.dither
    conversion.mayReplace = file.overwrite
    conversion.isStrict = strict
    conversion.gain = Double(gain.factor)
    return conversion
  }
}
