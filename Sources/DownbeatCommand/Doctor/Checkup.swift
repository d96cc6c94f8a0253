// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import SongTools
internal import SoundTools

/// The results of all checks on a computer.
///
/// The checks that decide whether it can play sound are first.
struct Checkup {
  let sections: [(title: String, findings: [Finding])]

  init(_ machine: Machine) {
    sections = [
      ("sound", machine.soundFindings), ("soundfonts", machine.soundFontFindings),
      ("libraries", machine.libraryFindings), ("sequencer", machine.sequencerFindings),
      ("timers", machine.timerFindings), ("real time", machine.realtimeFindings),
      ("terminal", machine.terminalFindings),
    ]
  }

  var findings: [Finding] { sections.flatMap(\.findings) }

  /// Success if songs can be played; otherwise the status of the first problem.
  var status: ExitStatus { findings.first { $0.verdict == .problem }?.status ?? .success }

  /// The suggested commands, without duplicates.
  var fixes: [String] {
    var seen: Set<String> = []
    return findings.flatMap(\.fixes).filter { seen.insert($0).inserted }
  }

  // MARK: For the user

  var lines: [String] {
    sections.flatMap { [$0.title] + $0.findings.flatMap(lines) } + ["", summary]
  }

  private var nameWidth: Int { findings.map(\.name.count).max() ?? 0 }

  private func lines(_ finding: Finding) -> [String] {
    let name = Self.padded(finding.name, nameWidth)
    let head = "  \(Self.padded(finding.verdict.rawValue, 7))  \(name)  \(finding.found)"
    guard finding.verdict != .ok else { return [head] }
    return [head, "           \(finding.why)"] + finding.fixes.map { "           $ \($0)" }
  }

  private var summary: String {
    let warnings = findings.count { $0.verdict == .warning }.counted("warning")
    let problems = findings.filter { $0.verdict == .problem }.map(\.name)
    return problems.isEmpty
      ? "ready to play (\(warnings))"
      : "cannot play: \(problems.joined(separator: ", ")) (\(warnings))"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  // MARK: For a program

  var json: JSONValue {
    .object([
      ("v", 1), ("type", "doctor"), ("canPlay", .bool(status == .success)),
      ("status", .integer(Int(status.rawValue))),
      ("findings", .array(sections.flatMap { title, found in found.map { Self.json($0, title) } })),
    ])
  }

  private static func json(_ finding: Finding, _ section: String) -> JSONValue {
    .object([
      ("section", .text(section)), ("name", .text(finding.name)), ("found", .text(finding.found)),
      ("verdict", .text(finding.verdict.rawValue)), ("why", .text(finding.why)),
      ("fixes", .array(finding.fixes.map { .text($0) })),
    ])
  }
}
