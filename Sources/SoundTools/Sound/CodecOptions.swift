// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit

/// How much a lossy codec is to keep.
struct CodecOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bits a second of AAC, MP3 or Opus, 8k…1000k, such as 192k or 192; default: that of the codec.",
      valueName: "bits"))
  var bitrate: BitrateChoice?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How good AAC, MP3, Opus or Vorbis is to be, 0…1, in place of a bitrate; or best: render"
        + " with the best voices (a windowed sinc). Give it twice for both.",
      valueName: "quality"))
  var quality: [QualityChoice] = []

  /// How good a lossy codec is to be, 0…1; nil for its default.
  var share: Double? {
    for case .share(let share) in quality.reversed() { return share }
    return nil
  }

  /// Whether the best voices are asked for.
  var isBest: Bool { quality.contains(.best) }

  func validate() throws {
    if let share, !(0...1).contains(share) {
      throw ValidationError("--quality \(share): 0…1, or best")
    }
    guard bitrate == nil || share == nil else {
      throw ValidationError("--bitrate and --quality: one of the two says how good it is to be")
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
          "--bitrate: \(name) has no choice of it (leave it out, or try --format m4a)",
          options: ["--format"])
      }
      throw Failure(.usage, "--bitrate: \(name) has no choice of it (try --quality)")
    }
    if share != nil, !isLossy {
      throw Failure(
        .usage, "--quality: \(name) keeps every bit (leave it out, or try --format m4a)",
        options: ["--format"])
    }
  }
}
