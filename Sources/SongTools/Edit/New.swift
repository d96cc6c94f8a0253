// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
internal import MusicSequences
internal import ScoreNotation
internal import WholeFiles

/// `downbeat new`: a MIDI file from text.
package struct New: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a MIDI file from a text score.",
    discussion: """
      SCORE is a file, or the score itself; - reads standard input. Documentation/Notation.md \
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
      file = SequenceFile(try ScoreReader(middleC: octaves.middleC).readPatterns(text))
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

  /// True if the argument is a score: a path seldom has a colon and a space, and one with a space
  /// alone is a path only if it exists.
  private var isText: Bool { score.contains(": ") || score.contains("\n") || isBareScore }

  /// True if the argument is notes alone, as `c d e f`.
  private var isBareScore: Bool {
    score.contains(" ") && !score.contains(":") && !FolderListing.isThere(score)
  }

  /// The most that is read of a score: 4 MiB, more than 300,000 words take.
  private static let limit = 4 << 20

  private func source() throws -> (name: String, text: String) {
    if isBareScore { return ("score", "piano: \(score)") }
    if isText { return ("score", score) }
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
