// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import Glibc
internal import MusicalTime

/// `downbeat sound convert`: a sound file made into another.
struct SoundConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert a sound file to another kind, rate or shape.",
    discussion: """
      The suffix of OUT names the kind of file (downbeat sound formats lists them). Tags, markers \
      and loops go along where both kinds hold them. OUT appears whole, or not at all.

      EXAMPLES:
        downbeat sound convert song.wav -o song.flac
        downbeat sound convert song.flac -o song.wav --rate 48000 --bits 24
        downbeat sound convert - -o - --format ogg --channels 1 < voice.wav > voice.ogg
      """)

  @Argument(help: ArgumentHelp("The sound file; - reads standard input.", valueName: "in"))
  var input: String

  @Option(name: [.short, .long], help: "The file to write; - is standard output.")
  var output: String

  @Option(
    help: "The kind of file, where the name does not say.", transform: Self.container(named:))
  var format: SoundFileFormat.Container?

  @Option(help: "Frames a second, 1000…655350; without it the source's.")
  var rate: Int?

  @Option(
    help: "Bits of a sample: 8, 16, 24, 32, float, double, ulaw, alaw; without it the usual.",
    transform: Self.encoding(named:))
  var bits: SoundFileFormat.Encoding?

  @Option(help: "Channels, 1…1024; without it the source's.")
  var channels: Int?

  @Option(
    help: "Noise before rounding: none or triangular; without it below 24 bits as needed.",
    transform: Self.dither(named:))
  var dither: Dither?

  @Option(
    name: [.short, .long], help: "Gain: a factor (0.5) or decibels (-6dB).",
    transform: { try Gain(parsing: $0) })
  var gain = Gain(factor: 1)

  @Flag(help: "Replace OUT where it is there already.")
  var overwrite = false

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  func validate() throws {
    if let rate, !(1000...655_350).contains(rate) {
      throw ValidationError("--rate \(rate): 1000…655350 Hz (try 48000)")
    }
    if let channels, !(1...1024).contains(channels) {
      throw ValidationError("--channels \(channels): 1…1024")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let conversion = try conversion()
    let isPipe = output == "-"
    let isThere = unsafe !isPipe && access(output, F_OK) == 0
    guard overwrite || !isThere else {
      throw Failure(.noOutput, "\(output): is there already (--overwrite replaces it)")
    }
    // A file that grows past a limit, or a pipe that closes, is an error to report.
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    signals.holdForCleanUp()
    var bar = ProgressBar(label: input)
    defer { bar.clear() }
    let report = try conversion.run(
      from: SoundSource(input).open(), to: isPipe ? "standard output" : output,
      descriptor: isPipe ? STDOUT_FILENO : nil
    ) { done in
      bar.show(done)
      return signals.signal == nil
    }
    bar.clear()
    if let number = signals.signal { SignalWatch.die(by: number) }
    if let count = report?.clampedSampleCount, count > 0, !quiet {
      Terminal.report("\(output): \(count) samples were too loud and clipped (try --gain -3dB)")
    }
  }

  private func conversion() throws -> SoundFileConversion {
    let kind =
      if let format {
        try SoundFileFormat(format, bits)
      } else {
        try SoundFileFormat(path: output, encoding: bits)
      }
    var conversion = SoundFileConversion(to: kind)
    conversion.rate = rate.flatMap { SampleRate(hertz: $0) }
    conversion.channelCount = channels
    conversion.dither = dither
    conversion.gain = Double(gain.factor)
    return conversion
  }

  private static func container(named text: String) throws -> SoundFileFormat.Container {
    guard let container = SoundFileFormat.Container(path: ".\(text)") else {
      let all = SoundFileFormat.Container.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--format \(text): one of \(all)")
    }
    return container
  }

  private static func encoding(named text: String) throws -> SoundFileFormat.Encoding {
    guard let encoding = SoundFileFormat.Encoding(rawValue: text) else {
      throw ValidationError("--bits \(text): 8, 16, 24, 32, float, double, ulaw or alaw")
    }
    return encoding
  }

  private static func dither(named text: String) throws -> Dither {
    guard let dither = Dither(rawValue: text) else {
      throw ValidationError("--dither \(text): none or triangular")
    }
    return dither
  }
}
