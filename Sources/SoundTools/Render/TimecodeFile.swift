// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import LinearTimecode
internal import MusicSequences
internal import MusicalTime
internal import WholeFiles

/// The linear timecode that is written beside a rendering, for machines and editors that follow it.
struct TimecodeFile: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also write a mono sound file of linear time code, in sync with OUT.", valueName: "file"))
  var ltc: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Frame rate of --ltc: 23.976, 24, 25, 29.97, 29.97df, 30. Default: 25, or the song's frame"
        + " rate."))
  var fps: String?

  @Option(
    parsing: .unconditional,
    help: "Time code of the song's start, such as 01:00:00:00. Default: the song's time code.")
  var smpteOffset: String?

  /// Checks that the flags go with what is rendered.
  ///
  /// - Throws: where they do not.
  func check(_ options: Render) throws {
    guard ltc != nil || fps == nil && smpteOffset == nil else {
      throw ValidationError("--fps and --smpte-offset: need --ltc FILE")
    }
    guard let ltc else { return }
    guard options.outputDir == nil, options.paths.count == 1 else {
      throw ValidationError("--ltc: needs exactly one song and -o FILE")
    }
    let output = options.output ?? "-"
    guard ltc != "-", output == "-" || Self.place(of: ltc) != Self.place(of: output) else {
      throw ValidationError("--ltc: must be a file other than the output")
    }
    guard options.flags.countIn == 0 else {
      throw ValidationError("--count-in: cannot be used with --ltc")
    }
  }

  /// Where a file is or will be, in one spelling.
  private static func place(of path: String) -> String {
    guard !FolderListing.isThere(path) else { return FolderListing.realPath(of: path) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return FolderListing.path(FolderListing.realPath(of: folder), name)
  }

  /// What makes the sound; nil where none is asked for.
  ///
  /// - Parameters:
  ///   - song: the song.
  ///   - start: where the rendering begins.
  ///   - rate: the sound's frames a second.
  ///   - mayReplace: whether a file of the name may be replaced.
  /// - Returns: it, ready to be written.
  /// - Throws: where there are no such labels, or the name is taken.
  func sound(
    for song: MusicSequence, from start: Tick, rate: SampleRate, mayReplace: Bool
  ) throws -> TimecodeSound? {
    guard let ltc else { return nil }
    let format = try SoundFileFormat(path: ltc)
    _ = try OutputFile(path: ltc, overwrite: mayReplace)
    var setting = TimeSetting()
    setting.frameRate = try fps.map { try FlagText("--fps", $0).frameRate() }
    setting.smpteOffset = try smpteOffset.map { try FlagText("--smpte-offset", $0).label() }
    var context = try TimeContext(of: song, findingMarkers: false)
    try setting.apply(to: &context)
    let offset = context.labelOffset
    do {
      let seconds = context.tempoMap.seconds(at: start)
      let frames = try offset.frames + seconds * offset.rate.framesPerSecond
      let whole = try frames.rounded(.floor, unit: "frames").value
      let encoder = try LTCEncoder(
        from: Timecode(frame: Int64(clamping: whole), rate: offset.rate), sampleRate: rate)
      // A rendering may begin within a frame.
      let rest = try frames - Ratio(Int64(clamping: whole))
      let part = try rest * Ratio(Int64(rate.hertz)) / offset.rate.framesPerSecond
      let skipped = try part.rounded(.nearest, unit: "samples").value
      return TimecodeSound(
        path: ltc, format: format, mayReplace: mayReplace, encoder: encoder,
        skipped: Int(clamping: skipped))
    } catch let error as LTCError {
      throw Failure(.usage, "--ltc: \(error)")
    }
  }
}

/// Linear timecode that is to be written.
struct TimecodeSound {
  let path: String
  let format: SoundFileFormat
  let mayReplace: Bool
  var encoder: LTCEncoder
  /// Samples of its first frame that lie before the sound.
  let skipped: Int

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - count: its samples.
  ///   - signals: what ends it.
  /// - Returns: whether it is there; false where a signal came.
  /// - Throws: where it cannot be written; nothing is left of it then.
  mutating func write(_ count: Int64, until signals: SignalWatch) throws -> Bool {
    var options = SoundFileWriter.Options()
    options.mayReplace = mayReplace
    options.expectedFrameCount = Int(count)
    options.dither = Dither.none
    let writer = try SoundFileWriter(
      path: path, format: format, channelCount: 1, rate: encoder.sampleRate, options: options)
    var samples: [Float] = []
    encoder.append(skipped, to: &samples)
    var done: Int64 = 0
    while done < count {
      guard signals.signal == nil else { return false }
      samples.removeAll(keepingCapacity: true)
      encoder.append(Int(min(count - done, 48_000)), to: &samples)
      try writer.write(samples.span)
      done += Int64(samples.count)
    }
    try writer.finish()
    return true
  }
}
