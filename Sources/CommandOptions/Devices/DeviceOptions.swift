// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import ArgumentParser
package import AudioProcessing
internal import CommandKit
internal import MusicalTime

/// The flags of the commands that play sounds: the device and its rate.
package struct DeviceOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var output: OutputDeviceOptions

  @Option(
    parsing: .unconditional, help: "Sample rate of the device in Hz, 8000…192000, such as 44.1k.")
  package var sampleRate = RateChoice.standard

  package func validate() throws {
    try sampleRate.check("--sample-rate", in: 8000...192_000)
  }

  /// Opens the device.
  ///
  /// - Parameter remedy: what to do where the machine has none.
  /// - Returns: the device, which does not sound yet.
  /// - Throws: `DeviceError`, or a sentence with the remedy.
  package func open(
    without remedy: String = "to write a file: downbeat sound convert; silent: --audio null"
  ) throws -> OutputDevice {
    do {
      return try output.open(rate: sampleRate)
    } catch DeviceError.noSoundDevice {
      throw Failure(
        .noDevice, "no sound device on this machine (\(remedy))", concernsMachine: true)
    }
  }

  /// An output that nobody hears, where another process plays.
  package func none() -> NullOutputUnit {
    NullOutputUnit(format: AudioFormat(rate: sampleRate.rate), periodFrames: 1024)
  }

  /// The same device in the words of a command line.
  package var words: [String] { output.words + ["--sample-rate=\(sampleRate.rate.hertz)"] }
}
