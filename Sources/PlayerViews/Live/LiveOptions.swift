// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandKit
internal import Downbeat
package import TerminalViews

extension TerminalAbilities.ColorChoice: ExpressibleByArgument {}

/// The options for the live display.
package struct LiveOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Print lines instead of the live display, as when the output is a pipe.")
  package var plain = false

  @Flag(help: "Ignore keys pressed in the terminal.")
  var noKeys = false

  @Option(help: "Use colours in the display; auto respects NO_COLOR.")
  var color = TerminalAbilities.ColorChoice.auto

  /// Opens the terminal for a live display.
  ///
  /// - Parameters:
  ///   - isQuiet: True for no display; JSON output turns it off, too.
  ///   - signals: Reports when the process was continued after a stop.
  /// - Returns: The display; nil if it is turned off or the terminal does not support it.
  /// - Throws: `Failure`, as `settings`.
  package func display(isQuiet: Bool, _ signals: SignalWatch) throws(Failure) -> LiveDisplay? {
    var abilities = TerminalAbilities(variables: Environment.variables, color: color)
    guard !plain, !isQuiet, !JSONReport.isOn, Terminal.isInteractive else { return nil }
    guard abilities.steers else {
      reportUselessKeys()
      return nil
    }
    let settings = try settings
    abilities.palette = settings.palette
    return LiveDisplay(abilities, takesKeys: !noKeys, bindings: settings.keys, signals)
  }

  /// Reports once that keys do nothing on a terminal without a display.
  private func reportUselessKeys() {
    guard !noKeys, Console.current.isFirst("keys without a display") else { return }
    let name = Environment.variables["TERM"].flatMap { $0.isEmpty ? nil : "TERM=\($0)" }
    Terminal.report(
      "keys do not work on this terminal (\(name ?? "TERM is not set"); Ctrl-C quits)")
  }

  /// The keys and colours in configuration files.
  ///
  /// - Throws: `Failure` with exit status 78 for an invalid setting.
  package var settings: LiveSettings {
    get throws(Failure) { try LiveSettings(Configuration(environment: Environment.variables)) }
  }
}
