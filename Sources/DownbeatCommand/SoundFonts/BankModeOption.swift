// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MIDIMessages

/// The option that says how bank select is read.
struct BankModeOption: ParsableArguments {
  /// A bank mode by its word.
  enum Word: String, CaseIterable, ExpressibleByArgument {
    case auto, gm, gs, xg, gm2
  }

  @Option(
    name: .customLong("bank-mode"),
    help: ArgumentHelp(
      "The rules of bank select: those of the song's last reset, GS before it (auto), or one of"
        + " them throughout.", valueName: "mode"))
  var word = Word.auto

  /// The bank mode.
  var bankMode: BankMode {
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
  /// The name for a person: `GS`.
  var title: String { self == .auto ? rawValue : rawValue.uppercased() }
}
