// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import SoundFontFiles
internal import SoundFontInstruments

/// The command `downbeat soundfont presets`, which lists the programs of a soundfont.
struct SoundFontPresets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "List a soundfont's programs: their banks, numbers and names.",
    discussion: """
      Programs are numbered from 1 in text, and from 0 in JSON, as in MIDI messages. Bank 128 \
      contains the drum kits.
      """)

  @Argument(
    help: ArgumentHelp("Soundfont. Default: the soundfont in use.", valueName: "file"),
    completion: .fonts)
  var path: String?

  @Option(parsing: .unconditional, help: "List only the bank of this number.")
  var bank: Int?

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let path = try FontSearch.path(path)
    let presets = try SoundFont(path: path).tables.presets.filter { bank == nil || $0.bank == bank }
    if json {
      let list = JSONValue.array(presets.map(Self.json))
      let document = JSONValue.object([
        ("v", 1), ("type", "presets"), ("file", .path(path)), ("presets", list),
      ])
      try Terminal.output(document)
    } else {
      for preset in presets {
        try Terminal.output(
          "\(Self.right(preset.bank)) \(Self.right(preset.program + 1))  \(preset.name)")
      }
    }
  }

  private static func right(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, 3 - digits.count)) + digits
  }

  private static func json(_ preset: SoundFontTables.Preset) -> JSONValue {
    .object([
      ("bank", .integer(preset.bank)), ("program", .integer(preset.program)),
      ("name", .text(preset.name)),
    ])
  }
}
