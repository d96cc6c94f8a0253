// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MIDIMessages

/// The option for the octave number of middle C.
package struct OctaveOption: ParsableArguments {
  package init() {}

  @Option(
    name: [.customLong("octaves"), .customLong("middle-c")], parsing: .unconditional,
    help: ArgumentHelp(
      "Octave number of middle C (key 60) in key names: 3, 4 or 5.", valueName: "octave"))
  package var middleC = 4

  package func validate() throws {
    guard (3...5).contains(middleC) else {
      throw ValidationError("--octaves \(middleC): must be 3, 4 or 5")
    }
  }

  package var keys: KeyWords { KeyWords(middleC: middleC) }
}
