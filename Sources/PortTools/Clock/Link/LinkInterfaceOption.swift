// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandOptions

/// Where others of a session of Link are looked for.
package struct LinkInterfaceOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Network interface for Link, such as eth0, also one with a public address. Repeatable. \
      Default: all interfaces with a private address.
      """, valueName: "name"))
  var linkInterface: [String] = []

  /// Checks that the flag goes with what is followed.
  ///
  /// - Throws: where it has nothing to say of it.
  package func check(_ source: SyncSource?) throws {
    guard linkInterface.isEmpty || source?.kind == .link else {
      throw ValidationError("--link-interface: applies only to Link (--sync link)")
    }
  }
}
