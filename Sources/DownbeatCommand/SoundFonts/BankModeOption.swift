// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MIDIMessages

/// The option that says how bank select is read.
struct BankModeOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rules of bank select: those of the song's last reset, GS before it (auto), or one of"
        + " them throughout.", valueName: "mode"))
  var bankMode = BankMode.auto
}

extension BankMode: ExpressibleByArgument {}

extension BankMode {
  /// The name for a person: `GS`.
  var title: String { self == .auto ? rawValue : rawValue.uppercased() }
}
