// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LV2Units

/// The command `downbeat lv2 presets`, which lists the presets of a plug-in.
struct LV2Presets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets of an LV2 plug-in.",
    discussion: """
      Use a preset by its name: --instrument 'lv2:mda-epiano preset="Bright"'. Parameters that are \
      given in addition override the preset's values.
      """)

  @OptionGroup var options: PluginOptions

  func run() throws {
    let plugin = try options.plugin()
    let world = try PluginShelf.standard.world(of: [plugin])
    let presets = StandardError.silenced { world.presets(of: plugin) }
    guard options.json else { return try Terminal.output(presets.map(\.label)) }
    let list = presets.map { preset in
      JSONValue.object([("label", .text(preset.label)), ("uri", .text(preset.uri))])
    }
    try LV2Command.output(
      "lv2-presets", [("plugin", .text(plugin.uri)), ("presets", .array(list))])
  }
}
