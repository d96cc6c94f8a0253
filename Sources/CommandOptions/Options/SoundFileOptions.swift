// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import AudioFiles
internal import Downbeat

/// The options of commands that write a sound file: its format, and whether it may replace a file.
package struct SoundFileOptions: ParsableArguments {
  package init() {}

  @Option(
    help: "File format (wav, flac, ogg, …), if the suffix of the name does not select it.",
    transform: Self.container(named:))
  package var format: SoundFileFormat.Container?

  @Option(
    help: ArgumentHelp(
      "Sample format: 8, 16, 24, 32, float, double, ulaw or alaw; in caf also aac, alac, alac24 or"
        + " ima4. Default: 16; lossy formats have their own."),
    transform: Self.encoding(named:))
  package var bits: SoundFileFormat.Encoding?

  @Option(
    help: ArgumentHelp(
      "Dither: none or triangular. Default: triangular if sound convert rounds to fewer than 24"
        + " bits, otherwise none."),
    transform: Self.dither(named:))
  package var dither: Dither?

  @Flag(help: "Replace the output file if it exists.")
  package var overwrite = false

  /// The format for a file name and the options; standard output is a WAV file.
  package func format(for output: String) throws -> SoundFileFormat {
    if let format { return try SoundFileFormat(format, bits) }
    return output == "-"
      ? try SoundFileFormat(.wav, bits) : try SoundFileFormat(path: output, encoding: bits)
  }

  /// Throws if the file exists and may not be replaced.
  package func check(_ output: String) throws {
    _ = try OutputFile(path: output, overwrite: overwrite)
  }

  private static func container(named text: String) throws -> SoundFileFormat.Container {
    guard let container = SoundFileFormat.Container(path: ".\(text)") else {
      let all = SoundFileFormat.Container.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--format \(text): unknown format (use one of \(all))")
    }
    return container
  }

  private static func encoding(named text: String) throws -> SoundFileFormat.Encoding {
    guard let encoding = SoundFileFormat.Encoding(rawValue: text) else {
      throw ValidationError(
        "--bits \(text): must be 8, 16, 24, 32, float, double, ulaw, alaw, or in caf aac, alac,"
          + " alac24 or ima4")
    }
    return encoding
  }

  private static func dither(named text: String) throws -> Dither {
    guard let dither = Dither(rawValue: text) else {
      throw ValidationError("--dither \(text): must be none or triangular")
    }
    return dither
  }
}
