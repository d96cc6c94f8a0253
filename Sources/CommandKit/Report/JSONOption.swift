// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The option `--json` of a command that runs or writes files.
package struct JSONOption: ParsableArguments {
  package init() {}

  @Flag(
    help: "Print each event and each written file as a line of JSON on standard output.")
  package var json = false

  /// Throws if a file would also be written to standard output.
  package func check(_ output: String?) throws {
    guard json, output == "-" else { return }
    throw ValidationError(
      "--json: standard output carries the JSON, so the file needs a name (add -o FILE)")
  }
}
