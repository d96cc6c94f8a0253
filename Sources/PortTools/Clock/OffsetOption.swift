// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The option for the delays of the ports that receive a clock.
struct OffsetOption: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Delay of a port, -100…1000 ms; negative is earlier. Repeat it for each port.",
      valueName: "ms"))
  var offset: [Double] = []

  func validate() throws {
    try Self.check("--offset", offset)
  }

  /// Checks that delays are in the allowed range.
  static func check(_ flag: String, _ offsets: [Double]) throws {
    guard offsets.allSatisfy({ (-100...1000).contains($0) }) else {
      throw ValidationError("\(flag): not in the range -100…1000 ms")
    }
  }
}
