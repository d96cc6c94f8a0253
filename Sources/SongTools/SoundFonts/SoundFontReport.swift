internal import JSONText
internal import SoundFontFiles
// SPDX-License-Identifier: Apache-2.0
internal import SoundFontInstruments

/// The report on one soundfont.
struct SoundFontReport {
  private static let texts = [
    ("INAM", "name"), ("IENG", "by"), ("ICOP", "copyright"), ("ICRD", "date"), ("IPRD", "for"),
    ("ISFT", "made with"), ("ICMT", "comment"),
  ]

  private let font: SoundFont

  init(_ font: SoundFont) { self.font = font }

  private var tables: SoundFontTables { font.tables }
  private var isCompressed: Bool { tables.samples.contains(where: \.isCompressed) }
  private var programCount: Int { tables.presets.count { $0.bank == 0 } }
  private var kitCount: Int { tables.presets.count { $0.bank == 128 } }
  private var variationCount: Int { tables.presets.count - programCount - kitCount }

  /// One line with the path, the name, the size, and the number of programs, kits and variations.
  var line: String {
    "\(font.path): \(tables.name), \(size), \(counts)"
  }

  /// All facts, one per line.
  var lines: [String] {
    var lines = ["\(font.path):"]
    lines += Self.texts.compactMap { key, label in
      tables.texts[key].flatMap { $0.isEmpty ? nil : Self.row(label, $0) }
    }
    lines.append(
      Self.row(
        "format", "\(tables.format)" + (isCompressed ? ", Vorbis samples" : "")))
    lines.append(Self.row("size", size))
    lines.append(
      Self.row("presets", counts))
    lines.append(
      Self.row("samples", "\(tables.samples.count) in \(tables.instrumentCount) instruments"))
    return lines
  }

  /// The JSON document of the soundfont.
  var json: JSONValue {
    .object([
      ("v", 1), ("type", "soundfont"), ("file", .path(font.path)),
      ("bytes", .integer(font.byteCount)),
      ("format", .text(format)),
      ("compressed", .bool(isCompressed)),
      (
        "texts",
        .object(
          Self.texts.compactMap { key, _ in tables.texts[key].map { (key, JSONValue.text($0)) } })
      ),
      ("programs", .integer(programCount)), ("kits", .integer(kitCount)),
      ("variations", .integer(variationCount)), ("instruments", .integer(tables.instrumentCount)),
      ("samples", .integer(tables.samples.count)),
    ])
  }

  /// The version of a soundfont, such as 2.04, or the name of another format.
  private var format: String {
    switch tables.format {
    case .soundFont: "\(tables.format)".replacing("SoundFont ", with: "")
    case .dls: "\(tables.format)"
    }
  }

  private var counts: String {
    "\(programCount) programs, \(kitCount) kits, \(variationCount) variations"
  }

  private var size: String { Self.size(font.byteCount) }

  /// A size in KiB or MiB.
  static func size(_ byteCount: Int) -> String {
    let tenths = (byteCount + 52_428) / 104_857
    return byteCount < 100_000
      ? "\((byteCount + 512) / 1024) KiB" : "\(tenths / 10).\(tenths % 10) MiB"
  }

  private static func row(_ label: String, _ words: String) -> String {
    "  " + label + String(repeating: " ", count: max(1, 11 - label.count)) + words
  }

}
