// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// A command that supports `--json`.
package protocol ReportingCommand: ParsableCommand {
  var report: JSONOption { get }
  /// True, the default, if the command runs and reports events until it ends; false if it only
  /// writes files.
  var runs: Bool { get }
  /// The input, as it was named; nil, the default, for several or none.
  var reportedFile: String? { get }
  /// The output, as it was named; nil, the default, for several or none.
  var reportedOutput: String? { get }
}

extension ReportingCommand {
  package var runs: Bool { true }
  package var reportedFile: String? { nil }
  package var reportedOutput: String? { nil }

  /// Starts the JSON output, if `--json` is used.
  ///
  /// - Parameter root: The main command.
  package func openReport(root: any ParsableCommand.Type) {
    guard report.json else { return }
    let words = Self.words(of: Self.self, below: root) ?? []
    JSONReport.open(
      words.joined(separator: " "), runs: runs, file: reportedFile, output: reportedOutput)
  }

  /// The names of a command and its parents, without the main command.
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
