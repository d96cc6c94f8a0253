// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LV2Units

/// The command `downbeat lv2 check`, which renders with plug-ins in a separate process and reports
/// their faults.
struct LV2Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Test LV2 plug-ins in a separate process and report faults.",
    discussion: """
      Effects process 2 s of noise and instruments play some notes, at 48 000 Hz in blocks of 64 \
      frames: twice with fixed controls, and twice while the controls are moved one after another. \
      The report names plug-ins that crash or hang, output NaN or infinity, are slower than real \
      time, or sound different the second time. It also lists plug-ins that allocate memory, lock, \
      wait or map URIs while they render. For each it prints how often this happened, when it \
      happened first, and whether it happened only while a certain control was moved. Worker \
      threads are not tested. The exit status is 1 if a plug-in crashes, hangs or cannot be used, \
      and 3 for other faults.
      """)

  @Argument(
    help: ArgumentHelp("Plug-ins to test. Default: all usable plug-ins.", valueName: "name"),
    completion: .plugins)
  var names: [String] = []

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() throws {
    let shelf = PluginShelf.standard
    let findings = try shelf.findings()
    let short = PluginShelf.names(of: findings.plugins)
    var chosen: [LV2Plugin] = []
    for name in names { chosen.append(try shelf.plugin(named: name)) }
    if names.isEmpty { chosen = findings.plugins.filter { $0.refusal == nil } }
    var status = ExitStatus.success
    var documents: [JSONValue] = []
    for plugin in chosen {
      let name = short[plugin.uri] ?? plugin.uri
      let verdict = try PluginVerdict(plugin)
      if verdict.isUnusable {
        status = .failure
      } else if !verdict.faults.isEmpty, status == .success {
        status = .partial
      }
      if json {
        documents.append(verdict.document(name))
      } else {
        try Terminal.output("\(name): \(verdict.sentence)")
      }
    }
    if json { try LV2Command.output("lv2-check", [("plugins", .array(documents))]) }
    if status != .success { throw status }
  }
}
