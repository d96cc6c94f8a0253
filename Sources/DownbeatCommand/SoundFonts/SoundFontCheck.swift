// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Downbeat
internal import FluidSynthInstruments
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

  func run() throws {
    var tally = Tally()
    for path in try fonts() {
      do {
        tally.add(try check(path))
      } catch let failure as any FailureDescribing {
        Terminal.report("\(failure)")
        tally.add(failure.exitStatus)
      }
    }
    if tally.status != .success { throw tally.status }
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
    var count = 0
    do {
      for finding in try font.tables.findings(in: font.bytes) {
        Terminal.report("\(path): \(finding)")
        count += 1
      }
    } catch {
      throw Failure(.noSoundFont, "\(path): \(error)")
    }
    try font.tryOut()
    for song in song { count += try missing(in: song, path) }
    if count == 0, !quiet {
      try Terminal.output("\(path): well, \(font.tables.presets.count) presets")
    }
    return count == 0 ? .success : .partial
  }

  /// Tells what a song plays and the font lacks; returns how much.
  private func missing(in path: String, _ font: String) throws -> Int {
    let song = try Song(path: path)
    var count = 0
    for sequence in song.file.sequences {
      let session = try Session(sequence, settings: SessionSettings(soundFont: font))
      for preset in session.missingPresets {
        Terminal.report("\(song.name): \(preset.sentence)")
        count += 1
      }
    }
    return count
  }
}
