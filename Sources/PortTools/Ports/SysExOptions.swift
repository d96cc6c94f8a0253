// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// How fast long SysEx messages leave.
package struct SysExOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bytes a second of SysEx longer than 256 bytes.",
      discussion:
        "Default: 3125 to ALSA ports, the speed of a MIDI cable; over RTP-MIDI as fast as the"
        + " receivers take them. Limit it for a receiver that forwards to a cable.",
      valueName: "bytes"))
  package var sysexRate: Int?

  package func validate() throws {
    guard let sysexRate, !(1...10_000_000).contains(sysexRate) else { return }
    throw ValidationError("--sysex-rate \(sysexRate): a number of 1…10000000")
  }
}
