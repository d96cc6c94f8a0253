// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import PlayerControl

/// The option that shows a clock in browsers.
package struct WebOptions: ParsableArguments {
  package init() {}

  @Option(
    defaultAsFlag: ListenAddress(port: 8120), parsing: .next,
    help: ArgumentHelp(
      "Serve a web page with bar, beat, time code and tempo, on localhost unless a host is given."
        + " Without a value, --web uses port 8120.",
      valueName: "[host:]port"))
  package var web: ListenAddress?

  /// Starts the web server.
  ///
  /// - Parameters:
  ///   - leads: True if the clock can be controlled, so that the address of the control page is
  ///     printed.
  ///   - isQuiet: True to print no addresses.
  /// - Returns: The web server; nil without `--web`.
  /// - Throws: `NetworkError` if the port is in use or the host is not an address of this machine.
  package func open(leads: Bool, isQuiet: Bool = false) throws -> WebClock? {
    guard let web else { return nil }
    let clock = try WebClock(web)
    if !isQuiet { clock.report(isControl: leads) }
    return clock
  }
}
