// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
internal import CommandKit
package import JACKAudio
internal import MusicalTime

/// A device from which sound is recorded: an ALSA device, or the ports of a sound server.
package struct InputDevice {
  /// The default: a running server with inputs, or otherwise ALSA's default device.
  package static let standard = "auto"

  /// The name, as in `--audio`: `auto`, an ALSA device, `jack` or `pipewire`, also with a client.
  package var name: String
  /// The sample rate; a server uses its own unless a rate was chosen.
  package var rate = RateChoice.standard
  /// The number of channels.
  package var channelCount = 2
  /// The name of JACK's ports, without their number.
  package var label = "in"
  /// The frames in a period of an ALSA device; nil for the default.
  package var periodFrames: Int?
  /// The number of periods in the buffer of an ALSA device.
  package var periodCount = 16
  /// The seconds to wait for a lost ALSA device.
  package var patience = 0

  /// Creates a description of a device.
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

  /// Opens the device; recording starts.
  ///
  /// - Parameter remedy: Advice for the error if the machine does not have a sound device.
  /// - Returns: The input.
  /// - Throws: `DeviceError`, `JACKError`, or `Failure` with the remedy.
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

  /// The name of an opened input, as in `--audio`.
  package func name(of input: any SoundInput) -> String {
    guard AudioChoice(argument: name) == .auto else { return name }
    return (input as? JACKInput)?.client.server.word ?? (input as? ALSAInput)?.device ?? name
  }

  /// The server that `--audio auto` records from.
  ///
  /// - Parameter rate: The sample rate; a server must have it if it was chosen.
  /// - Returns: A client of the first running server with a card to record from; nil if none is
  ///   found.
  package static func heardServer(_ rate: RateChoice) -> JACKClient? {
    for server in JACKServer.running {
      do throws(JACKError) {
        let client = try SharedJACKClient.client(of: server)
        if client.hasCapturePorts, !rate.isChosen || client.rate == rate.rate { return client }
      } catch {
        // Another server may have a card.
      }
    }
    return nil
  }

  /// Opens input ports on the client of an output, so that they are recorded and played in the same
  /// cycle.
  ///
  /// - Parameter output: The output; nil for an ALSA device.
  /// - Returns: The ports and their unit; nil if the device does not belong to that client.
  /// - Throws: `JACKError` if the ports cannot be opened.
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

  /// The error of a device that cannot be opened.
  ///
  /// It lists the inputs of running servers, or has the remedy if the machine does not have an
  /// input.
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
