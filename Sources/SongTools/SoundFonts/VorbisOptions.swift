// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import SoundFontFiles
internal import SoundFontVoices

/// Options for the samples of a new soundfont.
package struct VorbisOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Compress the samples as Ogg Vorbis (SF3).")
  package var vorbis = false

  @Option(
    parsing: .unconditional,
    help: "Quality of --vorbis, 0…1; 0.6 gives about 10 % of the size. Default: 0.6.")
  package var quality: Double?

  /// The quality without `--quality`.
  private static let usualQuality = 0.6

  package func validate() throws {
    if let quality, !(0...1).contains(quality) {
      throw ValidationError("--quality \(quality): must be 0…1")
    }
  }

  /// Compresses the samples if the options or the name of the output ask for it.
  ///
  /// - Parameters:
  ///   - document: The soundfont.
  ///   - output: The name of the output; empty for an RMID file.
  /// - Throws: `Failure` if the name does not fit the contents; `SoundFileError` if samples cannot
  ///   be compressed.
  func apply(to document: inout SoundFontDocument, for output: String = "") throws {
    let name = output.lowercased()
    if vorbis || name.hasSuffix(".sf3") {
      guard !name.hasSuffix(".sf2") else {
        throw Failure(
          .usage, "\(output): --vorbis writes SF3 (try -o \(output.dropLast(4)).sf3)",
          options: ["--vorbis"])
      }
      return try document.compressSamples(quality: quality ?? Self.usualQuality)
    }
    guard quality == nil else {
      throw Failure(
        .usage, "--quality: applies only to compressed samples (add --vorbis)",
        options: ["--vorbis"])
    }
    guard !name.hasSuffix(".sf2") || !document.samples.contains(where: \.isCompressed) else {
      throw Failure(
        .usage,
        "\(output): the samples are compressed, as in SF3 (try -o \(output.dropLast(4)).sf3)")
    }
  }
}
