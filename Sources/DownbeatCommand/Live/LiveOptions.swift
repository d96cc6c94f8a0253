// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TerminalViews

extension TerminalAbilities.ColorChoice: ExpressibleByArgument {}

/// How what runs is shown on the terminal.
struct LiveOptions: ParsableArguments {
  @Flag(help: "Draw no picture on the terminal: a line for what happens, as in a pipe.")
  var plain = false

  @Flag(help: "Take no keys.")
  var noKeys = false

  @Option(help: "Colours of the picture: auto, always or never; auto respects NO_COLOR.")
  var color = TerminalAbilities.ColorChoice.auto

  /// Opens the terminal for a picture.
  ///
  /// - Parameters:
  ///   - isQuiet: whether nothing is to be shown.
  ///   - signals: what tells that the process was continued.
  /// - Returns: where it is drawn; nil where none is to be, or none can.
  func display(isQuiet: Bool, _ signals: SignalWatch) -> LiveDisplay? {
    let abilities = TerminalAbilities(variables: Environment.variables, color: color)
    guard !plain, !isQuiet, abilities.steers, Terminal.isInteractive else { return nil }
    return LiveDisplay(abilities, takesKeys: !noKeys, signals)
  }
}
