// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// LV2 plug-ins that misbehave in one of their functions, in songs that are rendered and played, and
/// when plug-ins are listed and checked.
///
/// A command that was not completed never ends with status 0, the plug-in is named, complete files stay,
/// a signal ends what hangs, and nothing is found to be right that is not.
struct PluginTarget: FuzzTarget {
  private typealias Deed = RoguePlugin.Deed
  private typealias Place = RoguePlugin.Place
  private enum Command: String, CaseIterable { case render, stems, play, list, check }

  /// The deeds after which a command cannot be completed.
  private static let fatal: Set<Deed> = [.exit, .quickExit, .crash, .abort, .threadEnd]
  private static let signals = [SIGTERM, SIGHUP, SIGINT]

  private let scene: FuzzScene
  private let plugin: RoguePlugin?
  private var (acted, idle, skipped) = (0, 0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    let found = try ToolRun(["lv2", "list"], environment: ["LV2_PATH": "/nowhere"])
    plugin = found.status == 0 ? try RoguePlugin() : nil
  }

  var tally: String { "\(acted) misbehaved, \(idle) not called there, \(skipped) skipped" }

  mutating func attack(_ random: inout SplitMix) throws {
    guard let deed = Deed.allCases.randomElement(using: &random),
      let place = Place.allCases.randomElement(using: &random),
      let command = Command.allCases.randomElement(using: &random), let plugin
    else { return skipped += 1 }
    try scene.keep(Array("\(command) \(deed) \(place)\n".utf8))
    // The functions are redirected once the library is loaded.
    guard place != .start || ![.quickExit, .threadEnd].contains(deed) else { return skipped += 1 }
    let scratch = try ScratchFolder()
    let output = scratch.path("output")
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let isTried = command == .list || command == .check
    let (cache, mark) = (scratch.path("cache"), scratch.path("mark"))
    if command == .check {
      // Found while it behaves.
      _ = try ToolRun(
        ["lv2", "list"], environment: plugin.environment(nil, in: place, cache: cache))
    }
    let environment = plugin.environment(
      deed, in: place, isTried: isTried, mark: mark, cache: cache)
    let words = Self.words(command, output + "/out")
    let case_ = "\(command), \(deed) in \(place)"
    if deed == .hang {
      let signal = Self.signals.randomElement(using: &random) ?? SIGTERM
      try hang(words, environment, mark, by: signal, in: place, case_)
    } else {
      let run = try ToolRun(words, environment: environment, limit: 50)
      let hasActed = FileManager.default.fileExists(atPath: mark)
      if hasActed { acted += 1 } else { idle += 1 }
      let names = try FileManager.default.contentsOfDirectory(atPath: output)
      try judge(run, command, deed, place, hasActed: hasActed, names, case_)
    }
  }

  private static func words(_ command: Command, _ output: String) -> [String] {
    let song = ["Songs/groove.mid", "-s", "Soundfonts/Downbeat.sf2", "--effect", "lv2:rogue"]
    return switch command {
    case .render: ["render"] + song + ["--length", "1s", "--quiet", "-o", output + ".wav"]
    case .stems: ["render"] + song + ["--length", "1s", "--stems", "track", "-o", output]
    case .play: ["play"] + song + ["--to", "1s", "--audio", "null", "--quiet"]
    case .list: ["lv2", "list", "--refused"]
    case .check: ["lv2", "check", "rogue"]
    }
  }

  private func judge(
    _ run: ToolRun, _ command: Command, _ deed: Deed, _ place: Place, hasActed: Bool,
    _ names: [String], _ case_: String
  ) throws {
    let (isDone, errors) = (!run.wasSignalled && run.status == 0, run.errors)
    let isFatal = hasActed && Self.fatal.contains(deed)
    switch command {
    case .render, .stems:
      let name = command == .render ? "out.wav" : "out"
      try FuzzFault.unless(!isDone || names == [name], "\(case_): status 0 and \(names)")
      let crashed = [.crash, .abort].contains(deed)
      let others = names.filter { $0 != name && !(crashed && $0.hasPrefix(".downbeat-")) }
      try FuzzFault.unless(others.isEmpty, "\(case_): \(others) left")
      fallthrough
    case .play:
      try FuzzFault.unless(!isFatal || !isDone, "\(case_): status 0")
      let isNamed =
        errors.contains(RoguePlugin.uri)
        || place == .start && errors.contains("ended the program")
      try FuzzFault.unless(!isFatal || isNamed, "\(case_): not named: \(errors)")
    case .list:
      try FuzzFault.unless(isDone, "\(case_): \(run.status), \(errors)")
      try FuzzFault.unless(!isFatal || run.text.contains("rogue"), "\(case_): not refused")
    case .check:
      let isRight = run.text.contains("no problems found")
      let isWrong = isFatal || hasActed && deed == .allocate && place == .run
      try FuzzFault.unless(!isWrong || !isRight && !isDone, "\(case_): \(run.text)")
      try FuzzFault.unless(!isWrong || run.text.contains("rogue"), "\(case_): not named")
    }
  }

  private mutating func hang(
    _ words: [String], _ environment: [String: String], _ mark: String, by signal: Int32,
    in place: Place, _ case_: String
  ) throws {
    let tool = try RunningTool(
      words, environment: environment, folder: ToolRun.packageFolder)
    var hasHung = false
    for _ in 0..<400 where !hasHung {
      usleep(20_000)
      hasHung = FileManager.default.fileExists(atPath: mark)
      if !hasHung, kill(tool.identifier, 0) != 0 || Self.isGone(tool.identifier) { break }
    }
    if hasHung { acted += 1 } else { idle += 1 }
    let end = try tool.end(by: signal)
    guard hasHung else { return }
    // Where a plug-in is freed, the command ends by itself 2 s later: before the signal, on a busy machine.
    let mayEnd = place == .cleanup || place == .deactivate
    try FuzzFault.unless(
      end.signal == signal || mayEnd && end.signal == nil,
      "\(case_): not ended by signal \(signal)")
    // The mark holds the number of the process that hung, which may be one that tried the plug-in.
    guard let bytes = FileManager.default.contents(atPath: mark),
      let number = Int32(String(decoding: bytes.filter { $0 != 0x0A }, as: UTF8.self))
    else { return }
    for _ in 0..<500 where !Self.isGone(number) { usleep(10_000) }
    try FuzzFault.unless(Self.isGone(number), "\(case_): process \(number) goes on")
  }

  /// Whether a process has ended, waited for or not.
  private static func isGone(_ number: Int32) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/stat") else {
      return true
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: ")").last?.hasPrefix(" Z") == true
  }
}
