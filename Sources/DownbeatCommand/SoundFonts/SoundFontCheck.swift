// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Downbeat
internal import FluidSynthInstruments
internal import JSONText
internal import MusicSequences
internal import SoundFontFiles

/// `downbeat soundfont check`: whether fonts are whole, and whether they have what songs play.
struct SoundFontCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that soundfonts are whole, or that they have what songs play.",
    discussion: """
      A folder stands for the soundfonts in it. The exit status is 0 where all is well, 3 where \
      something would be silent or sound wrong, or a song plays what the font lacks, and 78 where \
      a file is no soundfont that can be played.

      EXAMPLES:
        downbeat soundfont check Font.sf2
        downbeat soundfont check /usr/share/sounds/sf2
        downbeat soundfont check --song song.mid --song other.mid Font.sf2
      """)

  @Argument(
    help: ArgumentHelp(
      "Soundfonts and folders of them; without any the one that is used.", valueName: "file"),
    completion: .fonts)
  var paths: [String] = []

  @Option(help: "A song whose programs the font is to have; may be repeated.")
  var song: [String] = []

  @Flag(name: [.short, .long], help: "Say nothing of what is well.")
  var quiet = false

  @Flag(help: "Write one JSON document for each font.")
  var json = false

  func run() throws {
    var tally = Tally()
    for path in try fonts() {
      do {
        tally.add(try check(path))
      } catch let failure as any FailureDescribing {
        try tell("refused", [], failure: "\(failure)", of: path)
        tally.add(failure.exitStatus)
      }
    }
    if tally.status != .success { throw tally.status }
  }

  /// Tells how a font is: each fault a line, or all of them in one document.
  private func tell(
    _ status: String, _ faults: [String], failure: String? = nil, presets: Int? = nil,
    of path: String
  ) throws {
    guard json else {
      for line in faults + (failure.map { [$0] } ?? []) { Terminal.report(line) }
      guard let presets, faults.isEmpty, !quiet else { return }
      return try Terminal.output("\(path): well, \(presets) presets")
    }
    let document = JSONValue.object([
      ("v", 1), ("type", "soundFontCheck"), ("file", .path(path)), ("status", .text(status)),
      ("faults", .array(faults.map(JSONValue.text))),
      ("message", failure.map(JSONValue.text) ?? .null),
      ("presets", presets.map { .integer($0) } ?? .null),
    ])
    try Terminal.output("\(document)")
  }

  private func fonts() throws -> [String] {
    guard !paths.isEmpty else { return [try SoundFontCommand.path(nil)] }
    return try paths.flatMap { path in
      guard let files = SoundFontDiscovery.files(in: path) else { return [path] }
      guard !files.isEmpty else {
        throw Failure(.noInput, "\(path): no file in it ends in .sf2 or .sf3")
      }
      return files
    }
  }

  private func check(_ path: String) throws -> ExitStatus {
    let font = try SoundFont(path: SoundFontCommand.path(of: path))
    var faults: [String]
    do {
      faults = try font.tables.findings(in: font.bytes).map { "\(path): \($0)" }
    } catch {
      throw Failure(.noSoundFont, "\(path): \(error)")
    }
    try font.tryOut()
    for song in song { faults += try missing(in: song, path) }
    let status = faults.isEmpty ? "well" : "faulty"
    try tell(status, faults, presets: font.tables.presets.count, of: path)
    return faults.isEmpty ? .success : .partial
  }

  /// What a song plays and the font lacks, a sentence each.
  private func missing(in path: String, _ font: String) throws -> [String] {
    let song = try Song(path: path)
    return try song.file.sequences.flatMap { sequence in
      let session = try Session(sequence, settings: SessionSettings(soundFont: font))
      return session.missingPresets.map { "\(song.name): \($0.sentence)" }
    }
  }
}
