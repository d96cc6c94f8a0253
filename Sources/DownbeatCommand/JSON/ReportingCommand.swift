// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// A command that tells other programs what it does, where `--json` asks for it.
protocol ReportingCommand: ParsableCommand {
  var report: JSONOption { get }
  /// Whether it runs, and tells of what happens until it ends; or only writes files.
  var runs: Bool { get }
  /// What it reads, as it was named; nil for several things or none.
  var reportedFile: String? { get }
  /// What it writes, as it was named; nil for several things or none.
  var reportedOutput: String? { get }
}

extension ReportingCommand {
  var runs: Bool { true }
  var reportedFile: String? { nil }
  var reportedOutput: String? { nil }

  /// From here on what happens is told, where that was asked for.
  func openReport() {
    guard report.json else { return }
    let words = Self.words(of: Self.self, below: DownbeatCommand.self) ?? []
    JSONReport.open(
      words.joined(separator: " "), runs: runs, file: reportedFile, output: reportedOutput)
  }

  /// The words that call a command.
  private static func words(
    of type: any ParsableCommand.Type, below parent: any ParsableCommand.Type
  ) -> [String]? {
    for child in parent.configuration.subcommands {
      if child == type { return [child._commandName] }
      if let rest = words(of: type, below: child) { return [child._commandName] + rest }
    }
    return nil
  }
}
