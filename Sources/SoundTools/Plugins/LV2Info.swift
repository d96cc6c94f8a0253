// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import JSONText
package import LV2Units
internal import PlayerControl
internal import PlayerViews

/// The command `downbeat lv2 info`, which shows a plug-in and its parameters.
struct LV2Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show an LV2 plug-in and its parameters.")

  @OptionGroup var options: PluginOptions

  func run() throws {
    let plugin = try options.plugin()
    let short = PluginShelf.name(of: plugin, among: try PluginShelf.standard.findings().plugins)
    guard !options.json else {
      return try LV2Command.output("lv2-plugin", Self.members(plugin, short))
    }
    let sound = "\(plugin.inputCount) in, \(plugin.outputCount) out"
    let facts: [(String, String?)] = [
      ("name", "lv2:\(short)"), ("URI", plugin.uri), ("kind", plugin.kind), ("sound", sound),
      ("category", plugin.category), ("author", plugin.author), ("bundle", plugin.bundle),
      ("worker", plugin.hasWorker ? "uses a worker thread" : nil),
      ("refused", plugin.refusal.map { "\($0)" }),
    ]
    let head = facts.compactMap { fact in
      fact.1.map { "  " + LV2Command.padded(fact.0, 10) + $0 }
    }
    let rows = plugin.controls.flatMap { port in
      let parameter = port.parameter(hertz: 48_000)
      let row =
        "  " + LV2Command.padded(port.symbol, 18)
        + LV2Command.padded(parameter.text(of: parameter.initialValue), 12) + parameter.rangeText
      let points = port.scalePoints.map { "\(LV2Port.plain($0.value)) \($0.label)" }
      return [row + (port.name == port.symbol ? "" : "  \(port.name)")]
        + (points.isEmpty ? [] : ["    " + points.joined(separator: ", ")])
    }
    try Terminal.output(["\(plugin.name)"] + head)
    if !rows.isEmpty { try Terminal.output(["", "parameter, default, range:"] + rows) }
  }

  private static func members(_ plugin: LV2Plugin, _ name: String) -> [(String, JSONValue)] {
    let controls = plugin.controls.map { port -> JSONValue in
      let parameter = port.parameter(hertz: 48_000)
      return .object([
        ("symbol", .text(port.symbol)), ("title", .text(port.name)),
        ("least", .decimal("\(parameter.range.lowerBound)")),
        ("most", .decimal("\(parameter.range.upperBound)")),
        ("usual", .decimal("\(parameter.initialValue)")),
        ("unit", port.unit.map { .text($0) } ?? .null),
        (
          "points",
          .array(
            port.scalePoints.map {
              .object([("label", .text($0.label)), ("value", .decimal("\($0.value)"))])
            })
        ),
      ])
    }
    return [
      ("name", .text(name)), ("uri", .text(plugin.uri)),
      ("title", .text(plugin.name)), ("kind", .text(plugin.kind)),
      ("category", plugin.category.map { .text($0) } ?? .null),
      ("author", plugin.author.map { .text($0) } ?? .null), ("bundle", .path(plugin.bundle)),
      ("inputs", .integer(plugin.inputCount)), ("outputs", .integer(plugin.outputCount)),
      ("worker", .bool(plugin.hasWorker)),
      ("refused", plugin.refusal.map { .text("\($0)") } ?? .null),
      ("parameters", .array(controls)),
    ]
  }
}

extension LV2Port {
  /// Returns a value as text, without zeros after the decimal point.
  package static func plain(_ value: Float) -> String {
    value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
  }
}
