// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import AudioProcessing
internal import CommandKit
package import JACKAudio
internal import MusicalTime
internal import PlayerControl

/// Devices whose sound is mixed with the music.
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

  /// Opens the devices; their sound comes from here on.
  ///
  /// - Parameter output: where it is heard, whose rate all have.
  /// - Returns: what is to be mixed in.
  /// - Throws: `DeviceError`, `JACKError`.
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
      // Two cards, a card and a server or two servers never have one clock.
      let reader = try InputReader(device.open(), name: "input \(index + 1)", clock: .own)
      return MixedInput(name: wish.device, reader: reader, gain: wish.gain)
    }
  }
}

/// A device whose sound is mixed in.
package struct MixedInput {
  /// What it is called, as `--input` takes it.
  package let name: String
  /// What its sound is.
  package let unit: InputUnit
  /// A linear factor.
  package let gain: Float
  private let look: () -> State

  /// What there is to tell of it.
  package struct State {
    /// Whether its device is gone and its return is waited for.
    package var isAway: Bool
    /// Why nothing comes from it any more; nil while it does.
    package var failure: (any Error)?
  }

  /// A device whose sound a thread carries.
  package init(name: String, reader: InputReader, gain: Float) {
    (self.name, unit, self.gain) = (name, reader.unit, gain)
    look = { State(isAway: reader.isAway, failure: reader.failure) }
  }

  /// Ports of the output's own client, which has their turns: that is away with its output, of which it
  /// is told.
  package init(name: String, ports: (input: JACKInput, unit: InputUnit), gain: Float) {
    (self.name, unit, self.gain) = (name, ports.unit, gain)
    look = { State(isAway: false, failure: ports.input.client.failure) }
  }

  /// What there is to tell of it now.
  package var state: State { look() }
}
