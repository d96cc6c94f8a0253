// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LV2Units

/// The command `downbeat lv2 list`, which lists the plug-ins of this computer.
struct LV2List: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the name, kind and title of each usable LV2 plug-in.")

  @Argument(help: "List only plug-ins with all these words in name, title or category.")
  var words: [String] = []

  @Flag(help: "List only effects.")
  var effects = false

  @Flag(help: "List only instruments.")
  var instruments = false

  @Flag(help: "List the plug-ins that cannot be used, and why.")
  var refused = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard !effects || !instruments else {
      throw ValidationError("--effects and --instruments cannot be used together")
    }
  }

  func run() throws {
    let findings = try PluginShelf.standard.findings()
    LV2Command.tellBroken(findings.problems)
    let all = findings.plugins
    let names = PluginShelf.names(of: all)
    let shown = all.filter { plugin in
      (plugin.refusal != nil) == refused && (!effects || plugin.isEffect)
        && (!instruments || plugin.isInstrument)
        && words.allSatisfy { word in
          [plugin.uri, plugin.name, plugin.category ?? ""]
            .contains { $0.lowercased().contains(word.lowercased()) }
        }
    }
    guard !json else {
      let list = shown.map { Self.json($0, names[$0.uri] ?? $0.uri) }
      return try LV2Command.output("lv2-plugins", [("plugins", .array(list))])
    }
    let width = 2 + (shown.map { (names[$0.uri] ?? $0.uri).count }.max() ?? 0)
    let lines = shown.map { plugin in
      let name = LV2Command.padded(names[plugin.uri] ?? plugin.uri, width)
      if let refusal = plugin.refusal { return name + "\(refusal)" }
      return name + LV2Command.padded(plugin.kind, 12) + plugin.name
    }
    try Terminal.output(lines)
  }

  static func json(_ plugin: LV2Plugin, _ name: String) -> JSONValue {
    .object([
      ("name", .text(name)), ("uri", .text(plugin.uri)), ("title", .text(plugin.name)),
      ("kind", .text(plugin.kind)), ("category", plugin.category.map { .text($0) } ?? .null),
      ("refused", plugin.refusal.map { .text("\($0)") } ?? .null),
    ])
  }
}
