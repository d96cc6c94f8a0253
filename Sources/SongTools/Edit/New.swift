// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import MusicSequences
internal import ScoreNotation
internal import WholeFiles

/// The command `downbeat new`, which creates a MIDI file from a text score.
package struct New: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a MIDI file from a text score.",
    discussion: """
      SCORE is a file, or the score itself; - reads standard input. If no part is named, \
      notes are for a part `piano`, and drum sounds for a part `drums`. Documentation/Notation.md \
      describes the notation.

      EXAMPLES:
        downbeat new song.score                                   write song.mid
        downbeat new 'c d e f' -o scale.mid                       write piano notes
        downbeat new 'drums: kick x--- snare --x- hat xx *4' -o loop.mid
        downbeat new 'tempo 96; bass: @program fretless (c2/8 c e g)*2' -o riff.mid
      """)

  @Argument(help: ArgumentHelp("Score, or a file that contains one.", valueName: "score"))
  var score: String

  @Option(name: [.short, .long], help: "MIDI file to write; - is standard output.")
  package var output: String?

  @OptionGroup var octaves: OctaveOption

  @Flag(help: "Replace OUT if it exists.")
  package var overwrite = false

  @OptionGroup package var report: JSONOption

  package var runs: Bool { false }
  package var reportedFile: String? { isText ? nil : score }
  package var reportedOutput: String? { output }

  package func validate() throws { try report.check(output) }

  package func run() throws {
    let (name, text) = try source()
    let path = try self.target()
    let target = try OutputFile(named: path, overwrite: overwrite)
    let bytes: [UInt8]
    let losses: [SaveLoss]
    let file: SequenceFile
    do {
      var reader = ScoreReader(middleC: octaves.middleC)
      reader.allowsBareMusic = true
      file = SequenceFile(try reader.readPatterns(text))
      bytes = try SMFWriter().write(file)
      losses = try SMFWriter().losses(of: file)
    } catch {
      throw Failure(.badData, "\(name): \(error)")
    }
    try target.write(bytes)
    SaveReport(name: target.name, losses: losses).tell()
    guard report.json else { return }
    try WrittenFile.song(path, from: isText ? nil : name, file, losses: losses).tell()
  }

  /// True if the argument is a score and not a path.
  ///
  /// A path seldom contains a colon and a space. A text with a space or a semicolon, or a note such
  /// as `c4`, is a path only if the file exists.
  private var isText: Bool {
    if score.contains(": ") || score.contains("\n") { return true }
    guard !score.hasSuffix(".score"), !FolderListing.isThere(score) else { return false }
    return score.contains(" ") || score.contains(";") || ScoreReader.isNote(score)
  }

  /// The maximum size of a score: 4 MiB, enough for more than 300,000 words.
  private static let limit = 4 << 20

  private func source() throws -> (name: String, text: String) {
    if isText { return ("score", score) }
    guard !score.isEmpty else {
      throw Failure(.usage, "the score is empty (try downbeat new 'c d e f' -o song.mid)")
    }
    if ListedFiles.songs.holds(score), FolderListing.isThere(score) {
      throw Failure(.badData, "\(score): is a MIDI file, not a score (downbeat edit changes it)")
    }
    guard score == "-" || FolderListing.isThere(score) else {
      throw Failure(
        .noInput, "\(score): no such file (to type notes: downbeat new 'c d e f' -o song.mid)")
    }
    let file = try InputFile(named: score, limit: Self.limit)
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw Failure(.badData, "\(file.name): not UTF-8 text")
    }
    return (file.name, text)
  }

  private func target() throws -> String {
    if let output { return output }
    guard !isText, score.hasSuffix(".score") else {
      throw ValidationError("--output is missing (try downbeat new '\(score)' -o song.mid)")
    }
    return score.dropLast(".score".count) + ".mid"
  }
}
