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

/// The options for a file of linear timecode that accompanies a rendering, for devices and editors
/// that follow it.
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

  /// Checks the flags against the other options.
  ///
  /// - Throws: `ValidationError` if they do not fit together.
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

  /// Returns the absolute path of a file, without symbolic links.
  ///
  /// The file need not exist.
  private static func place(of path: String) -> String {
    guard !FolderListing.isThere(path) else { return FolderListing.realPath(of: path) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return FolderListing.path(FolderListing.realPath(of: folder), name)
  }

  /// Prepares the timecode file; nil without `--ltc`.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - start: The start of the rendering.
  ///   - rate: The sample rate of the file.
  ///   - mayReplace: True if an existing file may be replaced.
  /// - Returns: The timecode, ready to be written.
  /// - Throws: `Failure` if the frame rate or the time code cannot be encoded, or if the file
  ///   exists.
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
      // A rendering may start within a timecode frame.
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

/// A file of linear timecode that is ready to be written.
struct TimecodeSound {
  let path: String
  let format: SoundFileFormat
  let mayReplace: Bool
  var encoder: LTCEncoder
  /// The samples of the first timecode frame that are before the start of the sound.
  let skipped: Int

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - count: The number of samples.
  ///   - signals: The signals that end the work.
  /// - Returns: True if the file is complete; false after a signal.
  /// - Throws: `SoundFileError` if the file cannot be written. Nothing is kept of it then.
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
