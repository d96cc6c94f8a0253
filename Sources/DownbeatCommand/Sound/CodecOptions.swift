// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles

/// How much a lossy codec is to keep.
struct CodecOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bits a second of AAC, MP3 or Opus, 8k…1000k, such as 192k; without it the usual.",
      valueName: "bits"))
  var bitrate: BitrateChoice?

  @Option(
    parsing: .unconditional,
    help: "How good AAC, MP3, Opus or Vorbis is to be, 0…1, in place of a bitrate.")
  var quality: Double?

  func validate() throws {
    if let quality, !(0...1).contains(quality) {
      throw ValidationError("--quality \(quality): 0…1")
    }
    guard bitrate == nil || quality == nil else {
      throw ValidationError("--bitrate and --quality: one of the two says how good it is to be")
    }
  }

  /// Looks whether a format has what is asked for.
  ///
  /// - Throws: `Failure` where it has no such choice.
  func check(_ format: SoundFileFormat) throws(Failure) {
    let name = format.container.suffixes[0]
    let isLossy = [.aac, .mp3, .opus, .vorbis].contains(format.encoding)
    if bitrate != nil, !isLossy || format.encoding == .vorbis {
      let advice = isLossy ? "try --quality" : "leave it out, or try --format m4a"
      throw Failure(.usage, "--bitrate: \(name) has no choice of it (\(advice))")
    }
    if quality != nil, !isLossy {
      throw Failure(
        .usage, "--quality: \(name) keeps every bit (leave it out, or try --format m4a)")
    }
  }
}
