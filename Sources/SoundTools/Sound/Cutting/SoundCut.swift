// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The command `downbeat sound cut`, which saves a part of a sound file, without loss if possible.
struct SoundCut: SplicingCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Save a part of a sound file, without loss if possible.",
    discussion: """
      AAC, ALAC and MP3 are cut without re-encoding. M4A and MP3 files are cut at the exact \
      sample. ADTS files (.aac) are cut at packet boundaries, and the times of the cuts are \
      printed. Other formats are cut at the exact sample and written in the same format; lossy \
      formats, such as Ogg, are re-encoded, and a message reports this. The suffix of OUT selects \
      the file format.

      EXAMPLES:
        downbeat sound cut song.m4a -o chorus.m4a --from 1:02 --to 1:35.5
        downbeat sound cut take.wav -o start.wav --to 48000smp
      """)

  @Argument(help: ArgumentHelp("Sound file.", valueName: "in"), completion: .sounds)
  var input: String

  @Option(
    parsing: .unconditional,
    help: "Start of the part: 90s, 1:23.5, 48000smp. Default: start of the file.",
    transform: SongTime.init(parsing:))
  var from: SongTime?

  @Option(
    parsing: .unconditional, help: "End of the part. Default: end of the file.",
    transform: SongTime.init(parsing:))
  var to: SongTime?

  @OptionGroup var splicing: SplicingOptions
  @OptionGroup var report: JSONOption

  var reportedFile: String? { input }

  func validate() throws {
    try report.check(output)
    guard from != nil || to != nil else {
      throw ValidationError("no part to cut (add --from or --to, such as --from 1:02 --to 1:35)")
    }
    guard input != "-", output != "-" else {
      throw ValidationError("-: sound cut cannot use standard input or output (name the files)")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let reader = try SoundSource(input).open()
    let format = try format(like: reader)
    try refuse([input])
    let frames = try frames(of: reader)
    signals.holdForCleanUp()
    var bar = ProgressBar(
      label: input, rate: reader.rate, frameCount: frames.upperBound - frames.lowerBound)
    defer { bar.clear() }
    let progress = { (part: Double) in
      bar.show(part)
      return signals.signal == nil
    }
    let isDone =
      if let excerpt = try excerpt(frames, of: reader, format) {
        try copy(excerpt, reader, format, progress)
      } else {
        try convert(frames, reader, format, progress)
      }
    bar.clear()
    if let number = signals.signal { SignalWatch.die(by: number) }
    guard isDone else { throw ExitStatus.failure }
    if report.json { try WrittenFile.sound(output, from: input, kind: format.container).tell() }
  }

  /// Returns the part in frames of the sound.
  private func frames(of reader: SoundFileReader) throws -> Range<Int64> {
    let start = try from?.frame(in: MusicSequence(), rate: reader.rate) ?? 0
    let end = try to?.frame(in: MusicSequence(), rate: reader.rate) ?? .max
    guard start < end else {
      throw Failure(.usage, "--from must be before --to", options: ["--from"])
    }
    guard start < Int64(reader.frameCount) else {
      throw Failure(.usage, "--from: is after the end of \(input) (\(reader.frameCount) frames)")
    }
    return start..<min(end, Int64(reader.frameCount))
  }

  /// Returns the packets of the part; nil if it must be decoded and encoded again.
  private func excerpt(
    _ frames: Range<Int64>, of reader: SoundFileReader, _ format: SoundFileFormat
  ) throws -> PacketExcerpt? {
    if let own = reader.format?.container, ![.m4a, .aac, .mp3, .caf].contains(own) { return nil }
    let packets: PacketReader
    do throws(SoundFileError) {
      packets = try PacketReader(path: input)
    } catch {
      return nil
    }
    let codec = packets.core?.codec ?? .aac
    guard PacketFile.containers(for: codec).contains(format.container) else { return nil }
    // Packets may be counted at the rate of the core codec, and the sound may have twice that rate.
    let scale = Int64(reader.rate.hertz) / Int64(packets.table.hertz)
    // (end + 1) / scale, also for the largest end.
    let (end, rest) = frames.upperBound.quotientAndRemainder(dividingBy: max(1, scale))
    let counted = scale > 1 ? frames.lowerBound / scale..<end + (rest + 1) / scale : frames
    return PacketExcerpt(packets, frames: counted, for: format.container)
  }

  private func copy(
    _ excerpt: PacketExcerpt, _ reader: SoundFileReader, _ format: SoundFileFormat,
    _ progress: (Double) -> Bool
  ) throws -> Bool {
    guard
      try PacketFile.write(
        excerpt, to: output, as: format.container, tags: reader.metadata.tags,
        mayReplace: overwrite, progress: progress)
    else { return false }
    guard !quiet else { return true }
    let seconds = Double(excerpt.frames.count) / Double(excerpt.reader.table.hertz)
    let losses = reader.metadata.losses(in: format, seconds: seconds, isCopy: true)
    if let line = LossReport.line(losses, format, output) { Terminal.report(line) }
    if format.container == .aac {
      let hertz = Int64(excerpt.reader.table.hertz)
      let (start, end) = (excerpt.frames.lowerBound, excerpt.frames.upperBound)
      let times = [start, end].map { "\(Ratio($0, over: hertz).decimal(3)) s" }
      Terminal.report(
        "\(output): cut at packet boundaries, \(times[0]) to \(times[1])"
          + " (for an exact cut, use .m4a)")
    }
    return true
  }

  private func convert(
    _ frames: Range<Int64>, _ reader: SoundFileReader, _ format: SoundFileFormat,
    _ progress: (Double) -> Bool
  ) throws -> Bool {
    var conversion = SoundFileConversion(to: format)
    conversion.frames = frames
    conversion.mayReplace = overwrite
    guard
      let done = try conversion.run(
        from: reader, to: output, progress: { progress($0.fraction) })
    else {
      return false
    }
    guard !quiet else { return true }
    tellLoss(format)
    if let line = LossReport.line(done.losses, format, output) { Terminal.report(line) }
    if let shortfall = done.shortfall { Terminal.report("\(input): \(shortfall)") }
    return true
  }
}
