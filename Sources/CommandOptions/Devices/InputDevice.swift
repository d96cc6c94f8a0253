// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
internal import CommandKit
package import JACKAudio
internal import MusicalTime

/// What sound is heard from: a device of ALSA, or the ports of a sound server where that is named.
package struct InputDevice {
  /// A server that runs and has something to hear, else ALSA's usual device.
  package static let standard = "auto"

  /// What it is called, as `--audio` takes it: `auto`, a device of ALSA, `jack` or `pipewire`, also with
  /// a client.
  package var name: String
  /// Frames a second; a server has its own where nobody chose.
  package var rate = RateChoice.standard
  /// The samples in a frame.
  package var channelCount = 2
  /// What JACK's ports are called before their number.
  package var label = "in"
  /// Frames in a period of ALSA's device.
  package var periodFrames: Int?
  /// Periods in its buffer.
  package var periodCount = 16
  /// How many seconds a device of ALSA that went away is waited for.
  package var patience = 0

  /// Creates it from its parts.
  package init(
    name: String, rate: RateChoice = RateChoice.standard, channelCount: Int = 2,
    label: String = "in", periodFrames: Int? = nil, periodCount: Int = 16, patience: Int = 0
  ) {
    self.name = name
    self.rate = rate
    self.channelCount = channelCount
    self.label = label
    self.periodFrames = periodFrames
    self.periodCount = periodCount
    self.patience = patience
  }

  /// Opens it; sound comes from here on.
  ///
  /// - Parameter remedy: what helps where there is no sound device.
  /// - Returns: the input.
  /// - Throws: `DeviceError`, `JACKError`, or a sentence with the remedy.
  package func open(without remedy: String? = nil) throws -> any SoundInput {
    let wish = AudioChoice(argument: name)
    if wish == .auto, let client = Self.heardServer(rate) {
      return try JACKInput(on: client, channelCount: channelCount, label: label)
    }
    if case .jack(let server, let target)? = wish {
      let client = try SharedJACKClient.client(of: server)
      guard !rate.isChosen || client.rate == rate.rate else {
        throw JACKError.rateDiffers(
          client.server, hertz: Int(client.rate.hertz), wanted: Int(rate.rate.hertz))
      }
      return try JACKInput(on: client, channelCount: channelCount, label: label, from: target)
    }
    return try openALSA(without: remedy)
  }

  /// What is heard, as `--audio` takes it.
  package func name(of input: any SoundInput) -> String {
    guard AudioChoice(argument: name) == .auto else { return name }
    return (input as? JACKInput)?.client.server.word ?? (input as? ALSAInput)?.device ?? name
  }

  /// The server that `--audio auto` records from.
  ///
  /// - Parameter rate: frames a second that the server must have, if they were chosen.
  /// - Returns: a client of the first server that runs and has a card to record from; nil if there
  ///   is none.
  package static func heardServer(_ rate: RateChoice) -> JACKClient? {
    for server in JACKServer.running {
      do throws(JACKError) {
        let client = try SharedJACKClient.client(of: server)
        if client.hasCapturePorts, !rate.isChosen || client.rate == rate.rate { return client }
      } catch {
        // Another may take one.
      }
    }
    return nil
  }

  /// Opens ports of the client that an output belongs to, for its plan to play in their very turn.
  ///
  /// - Parameter output: the output; nil for a card's.
  /// - Returns: the ports and what they give; nil where it is no device of that client.
  /// - Throws: `JACKError`.
  package func ports(
    playedBy output: JACKOutputUnit?
  ) throws -> (input: JACKInput, unit: InputUnit)? {
    guard let output, case .jack(let server, let target)? = AudioChoice(argument: name),
      try SharedJACKClient.client(of: server) === output.client
    else { return nil }
    let input = try JACKInput(
      on: output.client, channelCount: channelCount, label: label, from: target, playedBy: output)
    return input.unit.map { (input, $0) }
  }

  private func openALSA(without remedy: String?) throws -> ALSAInput {
    var wishes = ALSAInput.Wishes()
    if case .alsa(let name)? = AudioChoice(argument: name) { wishes.device = name }
    wishes.channelCount = channelCount
    if let periodFrames { wishes.periodFrames = periodFrames }
    wishes.periodCount = periodCount
    wishes.patience = patience
    do throws(DeviceError) {
      return try ALSAInput(rate: rate.rate, wishes: wishes)
    } catch {
      throw Self.failure(error, wishes.device, remedy)
    }
  }

  /// The error of a device that does not open, with the names of the inputs of running servers, or
  /// with the remedy if the machine has no input.
  private static func failure(
    _ error: DeviceError, _ device: String, _ remedy: String?
  ) -> any Error {
    let advice = remedy.map { " (\($0))" } ?? ""
    switch error {
    case .noSoundDevice:
      return Failure(.noDevice, "no sound device on this machine\(advice)", concernsMachine: true)
    case .noSuchDevice(let name, let candidates):
      let others = DeviceEntry.serverInputNames + candidates
      guard device != AudioDevice.standard.name || others.contains(where: { $0 != "null" }) else {
        return Failure(
          .noDevice, "no sound input on this machine\(advice)", concernsMachine: true)
      }
      return DeviceError.noSuchDevice(name, candidates: others)
    default: return error
    }
  }
}
