// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import PlayerControl

/// Whether a clock is shown to browsers.
package struct WebOptions: ParsableArguments {
  package init() {}

  @Option(
    defaultAsFlag: ListenAddress(port: 8120), parsing: .next,
    help: ArgumentHelp(
      "Serve a web page with bar, beat, time code and tempo, on localhost unless a host is given."
        + " Without a value, --web uses port 8120.",
      valueName: "[host:]port"))
  package var web: ListenAddress?

  /// Begins to show.
  ///
  /// - Parameters:
  ///   - leads: whether there is anything that a page may do.
  ///   - isQuiet: whether nobody is told where it is.
  /// - Returns: what shows it; nil where nothing is to be shown.
  /// - Throws: `NetworkError` where the port is taken or the host is none of this machine.
  package func open(leads: Bool, isQuiet: Bool = false) throws -> WebClock? {
    guard let web else { return nil }
    let clock = try WebClock(web)
    if !isQuiet { clock.report(isControl: leads) }
    return clock
  }
}
