// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText

/// The command `downbeat soundfont which`, which shows the default soundfonts and the reason for
/// each.
struct SoundFontWhich: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "which",
    abstract: "Show which soundfonts are used by default, and why.",
    discussion: """
      The path is printed to standard output, and the places that were searched to standard error. \
      If a variable or a setting names several soundfonts, each is printed on its own line.
      """)

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(name: [.short, .long], help: "Print only the path.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Also print the places that contain no soundfont.")
  var verbose = false

  func run() throws {
    FontSearch.tellConfigurationTroubles()
    let steps = FontSearch.discovery.steps()
    if json {
      let places = JSONValue.array(steps.map(Self.json))
      try Terminal.output(
        JSONValue.object([("v", 1), ("type", "discovery"), ("steps", places)]))
    } else if !quiet {
      for step in steps where verbose || step.verdict != .missing {
        Terminal.say("\(step.path)\(step.settings): \(step.verdict.rawValue) (\(step.reason))")
      }
    }
    let chosen = steps.filter { $0.verdict == .chosen }
    guard !chosen.isEmpty else {
      throw Failure(
        .noSoundFont,
        "no soundfont found (add --soundfont FILE, or \(SoundFontCatalog.remedy))")
    }
    if !json { try Terminal.output(data: chosen.map { $0.path + $0.settings }) }
  }

  private static func json(_ step: SoundFontDiscovery.Step) -> JSONValue {
    .object([
      ("path", .path(step.path)), ("settings", .text(String(step.settings.dropFirst()))),
      ("reason", .text(step.reason)), ("verdict", .text(step.verdict.rawValue)),
    ])
  }
}
