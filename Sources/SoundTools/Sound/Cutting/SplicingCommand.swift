// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import Downbeat
internal import WholeFiles

/// A command that creates a sound file from packets of others or, if these cannot be copied, from
/// their samples.
protocol SplicingCommand: ReportingCommand {
  var splicing: SplicingOptions { get }
}

extension SplicingCommand {
  var output: String { splicing.output }
  var overwrite: Bool { splicing.overwrite }
  var quiet: Bool { splicing.quiet }
  var runs: Bool { false }
  var reportedOutput: String? { output }

  /// Returns the format for the extension of the output, with the encoding of the source if the
  /// format supports it.
  func format(like reader: SoundFileReader) throws -> SoundFileFormat {
    guard let container = SoundFileFormat.Container(path: output) else {
      throw SoundFileError.unknownSuffix(path: output)
    }
    let own = reader.format?.encoding
    return try SoundFileFormat(container, container.encodings.first { $0 == own })
  }

  /// Fails if the output exists and may not be replaced, or if it is one of the inputs.
  func refuse(_ inputs: [String]) throws {
    _ = try OutputFile(path: output, overwrite: overwrite)
    let own = FolderListing.Identity(of: output)
    guard own != nil, inputs.contains(where: { FolderListing.Identity(of: $0) == own }) else {
      return
    }
    throw Failure(.noOutput, "\(output): is an input file (name another file with -o)")
  }

  /// Reports that a lossy codec encodes the sound again.
  func tellLoss(_ format: SoundFileFormat) {
    guard [.aac, .mp3, .opus, .vorbis, .imaADPCM].contains(format.encoding) else { return }
    Terminal.report("\(output): re-encoded, because its packets cannot be copied")
  }
}
