// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing
internal import MusicalTime

/// Devices whose sound is mixed with the music.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Mix in what a device hears, such as a microphone: a device of ALSA, or jack or pipewire, also"
        + " with :CLIENT. DEVICE,channels=1 is mono, DEVICE,gain=-6dB levels it; repeatable.",
      valueName: "device"),
    transform: { try InputWish(parsing: $0) })
  var input: [InputWish] = []

  /// Opens the devices; their sound comes from here on.
  ///
  /// - Parameter output: where it is heard, whose rate all have.
  /// - Returns: what is to be mixed in.
  /// - Throws: `DeviceError`, `JACKError`.
  func open(beside output: OutputDevice) throws -> [MixedInput] {
    try input.enumerated().map { index, wish in
      var device = InputDevice(name: wish.device)
      device.rate = .only(output.rate)
      device.channelCount = wish.channelCount
      device.patience = SharedJACKClient.patience
      device.label = index == 0 ? "in" : "in_\(index + 1)"
      // The ports of one server have one clock; two cards, or a card and a server, never do.
      let isServers = AudioWish.namesServer(wish.device)
      let reader = try InputReader(
        device.open(), name: "input \(index + 1)",
        clock: isServers && output.jackOutput != nil ? .same : .own)
      return MixedInput(name: wish.device, reader: reader, gain: wish.gain)
    }
  }
}

/// A device whose sound is mixed in.
struct MixedInput {
  /// What it is called, as `--input` takes it.
  let name: String
  /// What carries its sound.
  let reader: InputReader
  /// A linear factor.
  let gain: Float
}
