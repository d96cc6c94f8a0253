// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The option for the speed of long SysEx messages.
package struct SysExOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Speed of SysEx messages over 256 bytes, in bytes per second.",
      discussion:
        "Default: 3125 for ALSA ports (the speed of a MIDI cable). For RTP-MIDI the default is as"
        + " fast as the receiver accepts; set a limit if the receiver forwards to a MIDI cable.",
      valueName: "bytes"))
  package var sysexRate: Int?

  package func validate() throws {
    guard let sysexRate, !(1...10_000_000).contains(sysexRate) else { return }
    throw ValidationError("--sysex-rate \(sysexRate): not in 1…10000000")
  }
}
