// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import SoundFontFiles
internal import SoundFontInstruments

/// The command `downbeat soundfont check`, which looks for faults in soundfonts, and for notes of
/// songs that they lack.
struct SoundFontCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check soundfonts for faults, and for notes that they lack.",
    discussion: """
      Give a folder to check all soundfonts in it, or the name of an installed soundfont. With \
      --song, every note of the song that the font cannot play is reported, because the preset or \
      a sample for its key or velocity is missing. The exit status is 0 if everything is OK, 3 if \
      something would be silent or sound wrong, or if the font lacks notes of a song, and 78 if a \
      file is not a playable soundfont.

      EXAMPLES:
        downbeat soundfont check Font.sf2
        downbeat soundfont check /usr/share/sounds/sf2
        downbeat soundfont check --song song.mid --song other.mid Font.sf2
        downbeat soundfont check --song song.mid FluidR3_GM --bank-mode xg
      """)

  @Argument(
    help: ArgumentHelp(
      "Soundfonts and folders. Default: the soundfont in use.", valueName: "file"),
    completion: .fonts)
  var paths: [String] = []

  @Option(
    help: "Song whose notes the soundfont must be able to play; repeatable.", completion: .songs)
  var song: [String] = []

  @OptionGroup var banks: BankModeOption

  @Flag(name: [.short, .long], help: "Print only faults.")
  var quiet = false

  @Flag(help: "Print one JSON document for each font.")
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

  /// Reports the result for one font: one line for each fault, or one JSON document.
  private func tell(
    _ status: String, _ faults: [String], failure: String? = nil, presets: Int? = nil,
    format: String = "", unplayable: [JSONValue] = [], of path: String
  ) throws {
    guard json else {
      for line in faults + (failure.map { [$0] } ?? []) { Terminal.report(line) }
      guard let presets, faults.isEmpty, !quiet else { return }
      return try Terminal.output("\(path): clean, \(presets) presets\(format)")
    }
    let document = JSONValue.object([
      ("v", 1), ("type", "soundFontCheck"), ("file", .path(path)), ("status", .text(status)),
      ("faults", .array(faults.map(JSONValue.text))), ("unplayable", .array(unplayable)),
      ("message", failure.map(JSONValue.text) ?? .null),
      ("presets", presets.map { .integer($0) } ?? .null),
    ])
    try Terminal.output(document)
  }

  /// Returns the format, if it is not that of a soundfont.
  private static func format(of font: SoundFont) -> String {
    switch font.tables.format {
    case .soundFont: ""
    case .dls: ", \(font.tables.format)"
    }
  }

  private func fonts() throws -> [String] {
    guard !paths.isEmpty else { return [try FontSearch.path(nil)] }
    return try paths.flatMap { path in
      guard let files = SoundFontDiscovery.files(in: path) else { return [path] }
      guard !files.isEmpty else {
        throw Failure(.noInput, "\(path): contains no .sf2, .sf3 or .dls files")
      }
      return files
    }
  }

  private func check(_ name: String) throws -> ExitStatus {
    let path = try FontSearch.path(of: name)
    let font = try SoundFont(path: path)
    var faults: [String]
    do {
      faults = try font.findings().map { "\(path): \($0)" }
    } catch {
      throw Failure(.noSoundFont, "\(path): \(error)")
    }
    try font.tryOut()
    var unplayable: [JSONValue] = []
    if !song.isEmpty {
      let bank = try FontBank([SoundFontLayer(font)])
      for path in song {
        let song = try Song(path: path)
        let fit = try FontFit(song.file.sequences, with: bank, in: banks.bankMode)
        faults += fit.sentences().map { "\(song.name): \($0)" }
        unplayable += fit.unplayableJSON(of: song.name)
      }
    }
    let status = faults.isEmpty ? "well" : "faulty"
    try tell(
      status, faults, presets: font.tables.presets.count, format: Self.format(of: font),
      unplayable: unplayable, of: path)
    return faults.isEmpty ? .success : .partial
  }
}
