// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import JSONText
internal import LV2Units

/// `downbeat lv2 check`: has plug-ins render in a process of its own, and says what they do wrong.
struct LV2Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Have LV2 plug-ins render in another process, and say what they do wrong.",
    discussion: """
      An effect hears 2 s of noise, an instrument plays some notes, each twice, at 48 000 Hz and 64 \
      frames at a time. It is told which plug-in crashes or hangs, gives what is no number, takes \
      longer than it sounds, or gives another sound the second time. The status is 1 where one crashes, \
      hangs or cannot be used, and 3 where one does anything else of these.
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
    if json {
      let list = JSONValue.array(documents)
      try Terminal.output(
        "\(JSONValue.object([("v", 1), ("type", "lv2-check"), ("plugins", list)]))")
    }
    if status != .success { throw status }
  }
}
