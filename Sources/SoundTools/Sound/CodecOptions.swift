// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit

/// The options for the bitrate and the quality of lossy codecs.
struct CodecOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bitrate of AAC, MP3 or Opus in kbit/s, 8…1000, such as 192 or 192k. Default: the usual"
        + " bitrate of the codec.",
      valueName: "bits"))
  var bitrate: BitrateChoice?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Quality of AAC, MP3, Opus or Vorbis, 0…1, if --bitrate is not given; or best, to render"
        + " with the best interpolation (windowed sinc). Give --quality twice to set both.",
      valueName: "quality"))
  var quality: [QualityChoice] = []

  /// The quality of a lossy codec, 0…1; nil for its default.
  var share: Double? {
    for case .share(let share) in quality.reversed() { return share }
    return nil
  }

  /// True if the best interpolation was requested.
  var isBest: Bool { quality.contains(.best) }

  func validate() throws {
    if let share, !(0...1).contains(share) {
      throw ValidationError("--quality \(share): must be 0…1 or best")
    }
    guard bitrate == nil || share == nil else {
      throw ValidationError("--bitrate and --quality each set the quality (use one of them)")
    }
  }

  /// Checks the options against a format.
  ///
  /// - Parameter format: The format of the file.
  /// - Throws: `Failure` with status 64 if the format does not have such a choice.
  func check(_ format: SoundFileFormat) throws(Failure) {
    let name = format.container.suffixes[0]
    let isLossy = [.aac, .mp3, .opus, .vorbis].contains(format.encoding)
    if bitrate != nil, !isLossy || format.encoding == .vorbis {
      guard isLossy else {
        throw Failure(
          .usage,
          "--bitrate: does not apply to \(name) (leave it out, or try --format m4a)",
          options: ["--format"])
      }
      throw Failure(.usage, "--bitrate: does not apply to \(name) (try --quality)")
    }
    if share != nil, format.encoding == .imaADPCM {
      throw Failure(
        .usage, "--quality: does not apply to ima4 (leave it out, or try --bits aac)",
        options: ["--bits"])
    }
    if share != nil, !isLossy {
      throw Failure(
        .usage, "--quality: \(name) is lossless (leave it out, or try --format m4a)",
        options: ["--format"])
    }
  }
}
