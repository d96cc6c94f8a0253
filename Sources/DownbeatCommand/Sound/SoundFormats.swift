// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import JSONText

/// `downbeat sound formats`: what can be read and written.
struct SoundFormats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "List the kinds of sound file that can be read and written.")

  @Flag(help: "Write one JSON document.")
  var json = false

  func run() throws {
    let entries = try SoundFileCatalog.entries()
    guard !json else { return try Terminal.output("\(Self.document(entries))") }
    try Terminal.output("writes    suffix              --bits (the usual first)")
    for container in SoundFileFormat.Container.allCases {
      let suffixes = container.suffixes.map { ".\($0)" }.joined(separator: " ")
      let bits = container.encodings.map(\.rawValue).joined(separator: " ")
      try Terminal.output(
        "  \(Self.padded(container.rawValue, 8))\(Self.padded(suffixes, 20))\(bits)")
    }
    try Terminal.output(["", "reads"])
    for entry in entries {
      try Terminal.output("  \(entry.name): \(entry.encodingNames.joined(separator: ", "))")
    }
    try Terminal.output(
      "  where FFmpeg is installed: AAC, HE-AAC, ALAC, Windows Media, AC-3, WavPack and True Audio, also"
        + " in MPEG-4, ADTS, LATM, QuickTime, Matroska, WebM, Flash, AVI and transport streams")
  }

  private static func document(_ entries: [SoundFileCatalog.Entry]) -> JSONValue {
    let written = SoundFileFormat.Container.allCases.map { container in
      JSONValue.object([
        ("container", .text(container.rawValue)),
        ("suffixes", .array(container.suffixes.map { .text($0) })),
        ("bits", .array(container.encodings.map { .text($0.rawValue) })),
        ("rates", container.rates.map { .array($0.map { .integer($0) }) } ?? .null),
      ])
    }
    let read = entries.map { entry in
      JSONValue.object([
        ("name", .text(entry.name)),
        ("container", entry.container.map { .text($0.rawValue) } ?? .null),
        ("encodings", .array(entry.encodingNames.map { .text($0) })),
      ])
    }
    return .object([
      ("v", 1), ("type", "soundFormats"), ("writes", .array(written)), ("reads", .array(read)),
    ])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
