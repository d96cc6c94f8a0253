// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LV2Units

/// `downbeat lv2 check`: has plug-ins render in a process of its own, and says what they do wrong.
struct LV2Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Have LV2 plug-ins render in another process, and say what they do wrong.",
    discussion: """
      An effect hears 2 s of noise, an instrument plays some notes, at 48 000 Hz and 64 frames at a \
      time: twice left alone, and twice while its controls are moved, one after another. It is told \
      which plug-in crashes or hangs, gives what is no number, takes longer than it sounds, or gives \
      another sound the second time; which allocates memory, locks, waits, or asks for the numbers of \
      URIs while it renders, how often and when first; and whether it does so only when a control is \
      moved, and which. What an effect's worker does is no part of that. The status is 1 where one \
      crashes, hangs or cannot be used, and 3 where one does anything else of these.
      """)

  @Argument(
    help: ArgumentHelp("The plug-ins; without one, all that can be used.", valueName: "name"),
    completion: .plugins)
  var names: [String] = []

  @Flag(help: "Write one JSON document.")
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
