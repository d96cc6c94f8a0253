// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import Downbeat
internal import Glibc
internal import MusicSequences
internal import MusicalTime

/// Renders a song to a sound file, faster than real time.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render a MIDI file to a sound file, faster than real time.",
    discussion: """
      The suffix of OUT names the format: wav, aiff, caf, flac or ogg. The file appears whole, \
      when it is finished, or not at all.

      EXAMPLES:
        downbeat render song.mid -o song.wav
        downbeat render song.mid -o song.flac --bits 24 --soundfont FluidR3_GM.sf2
        downbeat render - -o song.ogg --gain -6dB < song.mid
      """)

  @Argument(help: ArgumentHelp("The MIDI file; - reads standard input.", valueName: "file"))
  var path: String

  @Option(name: [.short, .long], help: "The sound file to write.")
  var output: String

  @Option(
    help: "Bits of a sample: 16, 24, 32 or float; without it the format's usual.",
    transform: Self.encoding(named:))
  var bits: SoundFileFormat.Encoding?

  @Option(
    help: "How much of the song to render, in any format: 30s, 8|1, 00:01:00:00@25.",
    transform: SongTime.init(parsing:))
  var length: SongTime?

  @Flag(help: "Replace OUT where it is there already.")
  var overwrite = false

  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func run() throws {
    let signals = SignalWatch()
    let format = try SoundFileFormat(path: output, encoding: bits)
    let song = try reading.read(path)
    let settings = try sound.settings()
    let isThere = unsafe access(output, F_OK) == 0
    guard overwrite || !isThere else {
      throw Failure(.noOutput, "\(output): is there already (--overwrite replaces it)")
    }
    // A file that grows past a limit is an error to report, not a signal to die of.
    signal(SIGXFSZ, SIG_IGN)
    signals.holdForCleanUp()
    if try write(song, settings, format, unless: signals) {
      if song.status != .success { throw song.status }
    } else if let number = signals.signal {
      SignalWatch.die(by: number)
    }
  }

  /// Writes the file; false when a signal came and nothing was kept.
  private func write(
    _ song: Song, _ settings: SessionSettings, _ format: SoundFileFormat,
    unless signals: SignalWatch
  ) throws -> Bool {
    let writer = try SoundFileWriter(
      path: output, format: format, channelCount: Session.channelCount, rate: settings.rate)
    var bar = ProgressBar(label: song.name)
    defer { bar.clear() }
    var clamped = 0
    for sequence in song.file.sequences {
      let session = try Session(sequence, settings: settings, pads: sound.pads())
      reading.tell(session.missingPresets, of: song.name)
      let limit = try length?.frame(in: sequence, rate: settings.rate) ?? .max
      let report = try session.render(upTo: limit, clamping: format.encoding != .float32) {
        samples, progress throws in
        guard signals.signal == nil else { return false }
        try writer.write(samples)
        bar.show(progress)
        return true
      }
      guard signals.signal == nil else { return false }
      clamped += report.clampedSampleCount
    }
    try writer.finish()
    if clamped > 0, !reading.quiet {
      Terminal.report("\(output): \(clamped) samples were too loud and clipped (try --gain -3dB)")
    }
    return true
  }

  private static func encoding(named text: String) throws -> SoundFileFormat.Encoding {
    guard let encoding = SoundFileFormat.Encoding(rawValue: text) else {
      throw ValidationError("--bits \(text): 16, 24, 32 or float")
    }
    return encoding
  }
}
