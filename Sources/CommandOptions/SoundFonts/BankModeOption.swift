// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import MIDIMessages

/// The option for the bank mode.
package struct BankModeOption: ParsableArguments {
  package init() {}

  /// The values of `--bank-mode`.
  package enum Word: String, CaseIterable, ExpressibleByArgument {
    case auto, gm, gs, xg, gm2
  }

  @Option(
    name: .customLong("bank-mode"),
    help: ArgumentHelp(
      "Rules for bank select: auto starts with gs and changes at each reset in the song; gm, gs,"
        + " xg and gm2 never change.", valueName: "mode"))
  package var word = Word.auto

  /// The bank mode of the option.
  package var bankMode: BankMode {
    switch word {
    case .auto: .auto
    case .gm: .gm
    case .gs: .gs
    case .xg: .xg
    case .gm2: .gm2
    }
  }
}

extension BankMode {
  /// The name for the user: `GS`.
  package var title: String { self == .auto ? rawValue : rawValue.uppercased() }
}
