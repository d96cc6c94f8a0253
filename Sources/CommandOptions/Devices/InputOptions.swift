// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import AudioProcessing
internal import CommandKit
package import JACKAudio
internal import MusicalTime
internal import PlayerControl

/// The options for sound inputs that are mixed with the music.
package struct InputOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Mix in a sound input, such as a microphone: an ALSA device, jack, pipewire, or one of"
        + " their clients (jack:CLIENT); repeatable. DEVICE,channels=1 makes it mono;"
        + " DEVICE,gain=-6dB sets its gain.",
      valueName: "device"),
    completion: .inputs, transform: { try InputChoice(parsing: $0) })
  package var input: [InputChoice] = []

  /// Opens the devices; recording starts.
  ///
  /// - Parameter output: The output, whose rate the inputs use.
  /// - Returns: The inputs.
  /// - Throws: `DeviceError` or `JACKError` if a device cannot be opened.
  package func open(beside output: OutputDevice) throws -> [MixedInput] {
    try input.enumerated().map { index, wish in
      var device = InputDevice(name: wish.device)
      device.rate = .only(output.rate)
      device.channelCount = wish.channelCount
      device.patience = SharedJACKClient.patience
      device.label = index == 0 ? "in" : "in_\(index + 1)"
      if let ports = try device.ports(playedBy: output.jackOutput) {
        return MixedInput(name: wish.device, ports: ports, gain: wish.gain)
      }
      // Two devices do not have the same clock, not even a card and a server.
      let reader = try InputReader(device.open(), name: "input \(index + 1)", clock: .own)
      return MixedInput(name: wish.device, reader: reader, gain: wish.gain)
    }
  }
}

/// A sound input that is mixed with the music.
package struct MixedInput {
  /// The name, as in `--input`.
  package let name: String
  /// The unit that plays the sound.
  package let unit: InputUnit
  /// The gain, a linear factor.
  package let gain: Float
  private let look: () -> State

  /// The state of the input.
  package struct State {
    /// True while the input waits for a lost device.
    package var isAway: Bool
    /// The error that ended the input; nil while it works.
    package var failure: (any Error)?
  }

  /// Creates an input that a separate thread reads.
  package init(name: String, reader: InputReader, gain: Float) {
    (self.name, unit, self.gain) = (name, reader.unit, gain)
    look = { State(isAway: reader.isAway, failure: reader.failure) }
  }

  /// Creates an input from ports of the output's own client.
  ///
  /// They are lost together with the output, which is reported for the output.
  package init(name: String, ports: (input: JACKInput, unit: InputUnit), gain: Float) {
    (self.name, unit, self.gain) = (name, ports.unit, gain)
    look = { State(isAway: false, failure: ports.input.client.failure) }
  }

  /// The current state of the input.
  package var state: State { look() }
}
