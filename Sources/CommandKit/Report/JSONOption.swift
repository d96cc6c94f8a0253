// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// Whether a command that runs, or writes files, tells other programs of it.
package struct JSONOption: ParsableArguments {
  package init() {}

  @Flag(
    help: "Tell on standard output what happens and what is written: a line of JSON for each.")
  package var json = false

  /// Refuses a file that would go to standard output as well.
  package func check(_ output: String?) throws {
    guard json, output == "-" else { return }
    throw ValidationError(
      "--json: standard output is for what is told, and a file cannot go there too (-o FILE)")
  }
}
