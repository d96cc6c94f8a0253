// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import ArgumentParser
package import AudioProcessing
internal import CommandKit
internal import MusicalTime

/// The options for the sound device and its rate.
package struct DeviceOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var output: OutputDeviceOptions

  @Option(
    parsing: .unconditional, help: "Sample rate of the device in Hz, 8000…192000, such as 44.1k.")
  package var sampleRate = RateChoice.standard

  package func validate() throws {
    try sampleRate.check("--sample-rate", in: 8000...192_000)
  }

  /// Opens the device, without starting it.
  ///
  /// - Parameter remedy: Advice for the error if the machine does not have a sound device.
  /// - Returns: The device.
  /// - Throws: `DeviceError`, `JACKError`, or `Failure` with the remedy.
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

  /// A silent output, for a command that lets another process play.
  package func none() -> NullOutputUnit {
    NullOutputUnit(format: AudioFormat(rate: sampleRate.rate), periodFrames: 1024)
  }

  /// The options as arguments of a command line.
  package var words: [String] { output.words + ["--sample-rate=\(sampleRate.rate.hertz)"] }
}
