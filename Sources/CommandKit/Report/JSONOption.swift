// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// Whether a command that runs, or writes files, tells other programs of it.
package struct JSONOption: ParsableArguments {
  package init() {}

  @Flag(
    help: "Print each event and each written file as a line of JSON on standard output.")
  package var json = false

  /// Refuses a file that would go to standard output as well.
  package func check(_ output: String?) throws {
    guard json, output == "-" else { return }
    throw ValidationError(
      "--json: standard output carries the JSON, so the file needs a name (add -o FILE)")
  }
}
