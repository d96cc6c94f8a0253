// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CommandKit
internal import Downbeat
internal import WholeFiles

/// A command that makes a sound file of packets of others, or of their samples where that cannot
/// be.
protocol SplicingCommand: ReportingCommand {
  var splicing: SplicingOptions { get }
}

extension SplicingCommand {
  var output: String { splicing.output }
  var overwrite: Bool { splicing.overwrite }
  var quiet: Bool { splicing.quiet }
  var runs: Bool { false }
  var reportedOutput: String? { output }

  /// The kind of file that the name asks for, with the source's bits where it can hold them.
  func format(like reader: SoundFileReader) throws -> SoundFileFormat {
    guard let container = SoundFileFormat.Container(path: output) else {
      throw SoundFileError.unknownSuffix(path: output)
    }
    let own = reader.format?.encoding
    return try SoundFileFormat(container, container.encodings.first { $0 == own })
  }

  /// Refuses a name that is taken; a sound is not to be lost to what is made of it.
  func refuse(_ inputs: [String]) throws {
    _ = try OutputFile(path: output, overwrite: overwrite)
    let own = FolderListing.Identity(of: output)
    guard own != nil, inputs.contains(where: { FolderListing.Identity(of: $0) == own }) else {
      return
    }
    throw Failure(.noOutput, "\(output): is an input file (name another file with -o)")
  }

  /// Tells that a codec loses what it is given a second time.
  func tellLoss(_ format: SoundFileFormat) {
    guard [.aac, .mp3, .opus, .vorbis, .imaADPCM].contains(format.encoding) else { return }
    Terminal.report("\(output): re-encoded, because its packets cannot be copied")
  }
}
