// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import JSONText
internal import LV2Units

/// `downbeat lv2 presets`: what a plug-in has made ready.
struct LV2Presets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets of an LV2 plug-in.",
    discussion: """
      One is asked for by its name: --instrument 'lv2:mda-epiano preset="Bright"'; what is set beside \
      it is set over it.
      """)

  @Argument(
    help: ArgumentHelp("The plug-in: the end of its URI, or its own name.", valueName: "name"),
    completion: .plugins)
  var name: String

  @Flag(help: "Write one JSON document.")
  var json = false

  func run() throws {
    let shelf = PluginShelf.standard
    let plugin = try shelf.plugin(named: name)
    let world = try shelf.world(of: [plugin])
    let presets = StandardError.silenced { world.presets(of: plugin) }
    guard !json else {
      let list = presets.map { preset in
        JSONValue.object([("label", .text(preset.label)), ("uri", .text(preset.uri))])
      }
      return try Terminal.output(
        "\(JSONValue.object([("v", 1), ("type", "lv2-presets"), ("plugin", .text(plugin.uri)), ("presets", .array(list))]))"
      )
    }
    try Terminal.output(presets.map(\.label))
  }
}
