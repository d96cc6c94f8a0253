// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandOptions

/// Where others of a session of Link are looked for.
package struct LinkInterfaceOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      The network interface on which others are looked for with link, such as eth0, whatever its \
      address; repeatable. Default: all with a private address.
      """, valueName: "name"))
  var linkInterface: [String] = []

  /// Checks that the flag goes with what is followed.
  ///
  /// - Throws: where it has nothing to say of it.
  package func check(_ source: SyncSource?) throws {
    guard linkInterface.isEmpty || source?.kind == .link else {
      throw ValidationError("--link-interface is for link: nothing else is looked for on a network")
    }
  }
}
