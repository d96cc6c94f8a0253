// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The command `downbeat sound join`, which joins sound files, without loss if possible.
struct SoundJoin: SplicingCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join sound files into one, without loss if possible.",
    discussion: """
      AAC, ALAC and MP3 are joined without re-encoding. M4A files are joined without a gap, and so \
      are parts of one file cut by `sound cut`, in every format. MP3 and ADTS (.aac) cannot mark \
      the padding that encoders add at both ends of a sound; it remains as a gap, which is \
      reported. Other formats are joined without a gap and written in the same format; lossy \
      formats, such as Ogg, are re-encoded, and a message reports this. All sounds need the same \
      codec, rate, channels and bits (`sound convert` can change them). The suffix of OUT selects \
      the file format. Tags that all sounds share are kept.

      EXAMPLES:
        downbeat sound join side-a.m4a side-b.m4a -o album.m4a
        downbeat sound join intro.wav take.wav end.wav -o song.wav
      """)

  @Argument(
    help: ArgumentHelp("Sound files to join, two or more, in order.", valueName: "in"),
    completion: .sounds)
  var inputs: [String]

  @OptionGroup var splicing: SplicingOptions
  @OptionGroup var report: JSONOption

  func validate() throws {
    try report.check(output)
    guard inputs.count > 1 else {
      throw ValidationError("join needs two sounds or more (such as a.m4a b.m4a -o both.m4a)")
    }
    guard !inputs.contains("-"), output != "-" else {
      throw ValidationError("-: sound join cannot use standard input or output (name the files)")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    var sounds: [SoundFileReader] = []
    for input in inputs { sounds.append(try SoundSource(input).open()) }
    let format = try format(like: sounds[0])
    try refuse(inputs)
    signals.holdForCleanUp()
    let length = sounds.reduce(Int64(0)) { $0 + Int64(min($1.frameCount, 1 << 40)) }
    var bar = ProgressBar(label: output, rate: sounds[0].rate, frameCount: length)
    defer { bar.clear() }
    let progress = { (part: Double) in
      bar.show(part)
      return signals.signal == nil
    }
    let isDone =
      if let join = try join(sounds, format) {
        try copy(join, sounds, format, progress)
      } else {
        try write(sounds, format, progress)
      }
    bar.clear()
    if let number = signals.signal { SignalWatch.die(by: number) }
    guard isDone else { throw ExitStatus.failure }
    if report.json { try WrittenFile.sound(output, from: nil, kind: format.container).tell() }
  }

  /// Returns the packets of the files; nil if they must be decoded and encoded again.
  private func join(_ sounds: [SoundFileReader], _ format: SoundFileFormat) throws -> PacketJoin? {
    var readers: [PacketReader] = []
    for sound in sounds {
      if let own = sound.format?.container, ![.m4a, .aac, .mp3, .caf].contains(own) { return nil }
      do throws(SoundFileError) {
        readers.append(try PacketReader(path: sound.path))
      } catch {
        return nil
      }
      let codec = readers[0].core?.codec ?? .aac
      guard PacketFile.containers(for: codec).contains(format.container) else { return nil }
    }
    return try PacketJoin(readers, for: format.container)
  }

  private func copy(
    _ join: PacketJoin, _ sounds: [SoundFileReader], _ format: SoundFileFormat,
    _ progress: (Double) -> Bool
  ) throws -> Bool {
    guard
      try PacketFile.write(
        join, to: output, as: format.container, tags: sharedTags(sounds), mayReplace: overwrite,
        progress: progress)
    else { return false }
    guard !quiet else { return true }
    let hertz = Int64(join.readers[0].table.hertz)
    for (input, seam) in zip(inputs.dropFirst(), join.seams) where seam.silentFrameCount > 0 {
      let times = [Int64(seam.silentFrameCount), seam.frame].map {
        "\(Ratio($0, over: hertz).decimal(3)) s"
      }
      Terminal.report(
        "\(output): gap of \(times[0]) before \(input), at \(times[1])"
          + " (to avoid the gap, \(Self.remedy(join)))")
    }
    var metadata = SoundFileMetadata()
    metadata.tags = sharedTags(sounds)
    let format = try SoundFileFormat(path: output)
    tellLosses(metadata, format, isCopy: true)
    tellShortfalls(sounds)
    return true
  }

  /// Reports the shared tags that the format does not store.
  private func tellLosses(
    _ metadata: SoundFileMetadata, _ format: SoundFileFormat, isCopy: Bool
  ) {
    let losses = metadata.losses(in: format, seconds: 0, isCopy: isCopy)
    if let line = LossReport.line(losses, format, output) { Terminal.report(line) }
  }

  /// Returns the advice to avoid a gap: another kind of file, or another encoding.
  private static func remedy(_ join: PacketJoin) -> String {
    join.readers[0].core?.codec == .mp3
      ? "first convert to .m4a or .flac" : "write .m4a"
  }

  /// Writes the samples of the files; returns false if the work was ended.
  private func write(
    _ sounds: [SoundFileReader], _ format: SoundFileFormat, _ progress: (Double) -> Bool
  ) throws -> Bool {
    for sound in sounds {
      if let difference = SoundDifference(sound, sounds[0]) {
        throw SoundFileError.otherSound(
          path: sound.path, first: sounds[0].path, difference)
      }
    }
    var options = SoundFileWriter.Options()
    options.mayReplace = overwrite
    options.metadata.tags = sharedTags(sounds)
    let lengths = sounds.map(\.frameCount)
    let sum = lengths.reduce(Int128(0)) { $0 + Int128($1) }
    let total = lengths.contains(.max) ? 0 : Int(clamping: sum)
    options.expectedFrameCount = total
    if sounds[0].channelCount > 2 { options.layout = sounds[0].layout }
    let writer = try SoundFileWriter(
      path: output, format: format, channelCount: sounds[0].channelCount, rate: sounds[0].rate,
      options: options)
    for sound in sounds {
      while case let samples = sound.read(Double.self, frameCount: 8192), !samples.isEmpty {
        try writer.write(samples.span)
        let done = Double(writer.frameCount) / Double(max(1, total))
        guard progress(min(1, done)) else { return false }
      }
    }
    try writer.finish()
    guard !quiet else { return true }
    tellLoss(format)
    tellLosses(options.metadata, format, isCopy: false)
    tellShortfalls(sounds)
    return true
  }

  private func sharedTags(_ sounds: [SoundFileReader]) -> [SoundFileMetadata.Tag: String] {
    sounds[0].metadata.tags.filter { tag, text in
      sounds.allSatisfy { $0.metadata.tags[tag] == text }
    }
  }

  private func tellShortfalls(_ sounds: [SoundFileReader]) {
    for sound in sounds {
      if let shortfall = sound.shortfall { Terminal.report("\(sound.path): \(shortfall)") }
    }
  }
}
