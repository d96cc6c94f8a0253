// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import SoundFontFiles
internal import SoundFontVoices

/// The options for the samples of a new soundfont.
package struct VorbisOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Compress the samples as Ogg Vorbis (SF3).")
  package var vorbis = false

  // The name `--quality` is used for the sound files of other commands.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Compress the samples with this quality, 0…1; default: 0.6, about 10 % of the size.",
      valueName: "quality"))
  package var vorbisQuality: Double?

  /// The quality without `--vorbis-quality`.
  private static let usualQuality = 0.6

  package func validate() throws {
    if let vorbisQuality, !(0...1).contains(vorbisQuality) {
      throw ValidationError("--vorbis-quality \(vorbisQuality): must be 0…1")
    }
  }

  /// True if an option asks for compressed samples.
  var isWanted: Bool { vorbis || vorbisQuality != nil }

  /// Compresses the samples if the options or the name of the output ask for it.
  ///
  /// - Parameters:
  ///   - document: The soundfont.
  ///   - output: The name of the output; empty for an RMID file.
  /// - Throws: `Failure` if the name does not fit the contents; `SoundFileError` if samples cannot
  ///   be compressed.
  func apply(to document: inout SoundFontDocument, for output: String = "") throws {
    let name = output.lowercased()
    if isWanted || name.hasSuffix(".sf3") {
      guard !name.hasSuffix(".sf2") else {
        throw Failure(
          .usage, "\(output): --vorbis writes SF3 (try -o \(output.dropLast(4)).sf3)",
          options: ["--vorbis"])
      }
      return try document.compressSamples(quality: vorbisQuality ?? Self.usualQuality)
    }
    guard !name.hasSuffix(".sf2") || !document.samples.contains(where: \.isCompressed) else {
      throw Failure(
        .usage,
        "\(output): the samples are compressed, as in SF3 (try -o \(output.dropLast(4)).sf3)")
    }
  }
}
