// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioFiles
internal import CommandKit
internal import JSONText
internal import SystemPackages

/// The command `downbeat sound formats`, which lists the formats that can be read and written.
struct SoundFormats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "List the sound file formats that can be read and written.")

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let entries = try SoundFileCatalog.entries()
    guard !json else { return try Terminal.output(Self.document(entries)) }
    try Terminal.output("writes    suffix              --bits (default first)")
    for container in SoundFileFormat.Container.allCases {
      let suffixes = container.suffixes.map { ".\($0)" }.joined(separator: " ")
      let bits = container.encodings.map(\.rawValue).joined(separator: " ")
      let remedy = Self.need(of: container)
      try Terminal.output(
        "  \(Self.padded(container.rawValue, 8))\(Self.padded(suffixes, 20))\(bits)\(remedy)")
    }
    try Terminal.output(["", "reads"])
    for entry in entries {
      try Terminal.output("  \(entry.name): \(entry.encodingNames.joined(separator: ", "))")
    }
    for line in Self.codecLines { try Terminal.output("  \(line)") }
  }

  private static let remedy = SystemPackage.ffmpeg.installation()

  /// Returns a text on the encodings that cannot be written on this computer; empty if all can.
  private static func need(of container: SoundFileFormat.Container) -> String {
    let missing = container.encodings.filter { !isWritten(container, $0) }
    if missing.isEmpty { return "" }
    guard isWritten(container, container.encodings[0]) else {
      return "  (needs FFmpeg: \(remedy))"
    }
    return "  (\(missing.map(\.rawValue).joined(separator: ", ")) need FFmpeg: \(remedy))"
  }

  /// Returns true if an encoding of a container can be written on this computer.
  private static func isWritten(
    _ container: SoundFileFormat.Container, _ encoding: SoundFileFormat.Encoding
  ) -> Bool {
    do {
      return try CodecCatalog.canWrite(SoundFileFormat(container, encoding))
    } catch {
      return true
    }
  }

  /// The formats that FFmpeg reads on this computer, or would read if it were installed.
  private static var codecLines: [String] {
    let (codecs, containers) = (CodecCatalog.decoders, CodecCatalog.containers)
    guard let version = SoundLibrary.ffmpeg.version else {
      let found = CodecCatalog.unsupportedVersion
      let state =
        found.map { "\(CodecCatalog.supportedReleases), not \($0), which is installed" }
        ?? "which is not installed"
      return ["needs FFmpeg, \(state) (\(remedy)): \(words(codecs)), also in \(words(containers))"]
    }
    let missing = (codecs + containers).filter { !$0.isAvailable }
    return [
      "with FFmpeg \(version): \(words(codecs.filter(\.isAvailable))), also in "
        + words(containers.filter(\.isAvailable))
    ] + (missing.isEmpty ? [] : ["not in this FFmpeg: \(words(missing))"])
  }

  private static func words(_ entries: [CodecCatalog.Entry]) -> String {
    entries.map(\.name).joined(separator: ", ")
  }

  private static func document(_ entries: [SoundFileCatalog.Entry]) -> JSONValue {
    let written = SoundFileFormat.Container.allCases.map { container in
      JSONValue.object([
        ("container", .text(container.rawValue)),
        ("suffixes", .array(container.suffixes.map { .text($0) })),
        ("bits", .array(container.encodings.map { .text($0.rawValue) })),
        ("rates", container.rates.map { .array($0.map { .integer($0) }) } ?? .null),
        ("available", .bool(isWritten(container, container.encodings[0]))),
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
      ("codecs", codecs),
    ])
  }

  private static var codecs: JSONValue {
    let version = SoundLibrary.ffmpeg.version
    return .object([
      ("library", .text(SoundLibrary.ffmpeg.rawValue)),
      ("version", version.map { .text($0) } ?? .null),
      ("unsupported", CodecCatalog.unsupportedVersion.map { .text($0) } ?? .null),
      ("reads", list(CodecCatalog.decoders)), ("containers", list(CodecCatalog.containers)),
    ])
  }

  /// Returns the names of the available entries.
  private static func list(_ entries: [CodecCatalog.Entry]) -> JSONValue {
    .array(entries.filter(\.isAvailable).map { .text($0.name) })
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
