// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandOptions

/// The option for the network interfaces on which Link peers are searched.
package struct LinkInterfaceOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Network interface for Link, such as eth0, also one with a public address. Repeatable. \
      Default: all interfaces with a private address.
      """, valueName: "name"))
  var linkInterface: [String] = []

  /// Checks that the option fits the sync source.
  ///
  /// - Throws: `ValidationError` if the source is not Link.
  package func check(_ source: SyncSource?) throws {
    guard linkInterface.isEmpty || source?.kind == .link else {
      throw ValidationError("--link-interface: applies only to Link (--sync link)")
    }
  }
}
