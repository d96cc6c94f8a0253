// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
package import JSONText
internal import LV2Units

/// The options of the commands that show one plug-in.
struct PluginOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Plug-in: the end of its URI, or its name.", valueName: "name"),
    completion: .plugins)
  var name: String

  @Flag(help: "Print one JSON document.")
  var json = false

  /// Returns the plug-in, which may be one that cannot be used.
  func plugin() throws(Failure) -> LV2Plugin { try PluginShelf.standard.plugin(named: name) }
}

extension LV2Command {
  /// Prints one JSON document of a type.
  package static func output(_ type: String, _ members: [(String, JSONValue)]) throws {
    try Terminal.output(JSONValue.object([("v", 1), ("type", .text(type))] + members))
  }
}
