// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// A command that tells other programs what it does, where `--json` asks for it.
package protocol ReportingCommand: ParsableCommand {
  var report: JSONOption { get }
  /// Whether it runs, and tells of what happens until it ends; or only writes files.
  var runs: Bool { get }
  /// What it reads, as it was named; nil for several things or none.
  var reportedFile: String? { get }
  /// What it writes, as it was named; nil for several things or none.
  var reportedOutput: String? { get }
}

extension ReportingCommand {
  package var runs: Bool { true }
  package var reportedFile: String? { nil }
  package var reportedOutput: String? { nil }

  /// Reports from here on what happens, if that was asked for.
  ///
  /// - Parameter root: the command of which all others are subcommands.
  package func openReport(root: any ParsableCommand.Type) {
    guard report.json else { return }
    let words = Self.words(of: Self.self, below: root) ?? []
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
