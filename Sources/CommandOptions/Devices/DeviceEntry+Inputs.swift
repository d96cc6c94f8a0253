// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CommandKit
internal import JACKAudio
internal import MusicalTime

/// The devices from which sound can be recorded.
extension DeviceEntry {
  /// Running servers, clients with output ports, and ALSA devices.
  ///
  /// Devices are not opened.
  static func inputs() -> [DeviceEntry] { serverInputs() + deviceInputs() }

  /// The names of all inputs, as `--audio` takes them.
  package static var inputNames: [String] { inputs().map(\.name) }

  /// The names of the inputs of running servers.
  static var serverInputNames: [String] { serverInputs().map(\.name) }

  /// The inputs of servers and of cards, each with its channels and rates in a few words.
  ///
  /// A card that is in use is listed as busy. Other devices that cannot be opened are left out, and
  /// so are ALSA's plug-ins, which use one of these devices.
  package static var inputSummaries: [String] {
    (serverInputs() + deviceInputs().filter { $0.name.hasPrefix("hw:") }).compactMap(\.summary)
  }

  private static func serverInputs() -> [DeviceEntry] {
    let heard = InputDevice.heardServer(.standard)?.server
    return JACKServer.running.flatMap { server in
      do throws(JACKError) {
        let client = try SharedJACKClient.client(of: server)
        return inputs(of: client, isDefault: server == heard)
      } catch {
        return [
          DeviceEntry(
            name: server.word, description: "\(error)", isDefault: false, isFaulty: true
          ) { throw error }
        ]
      }
    }
  }

  /// The card of a server, and each client with output ports.
  private static func inputs(of client: JACKClient, isDefault: Bool) -> [DeviceEntry] {
    let server = client.server
    let card = client.capturePorts
    let targets = client.captureTargets.map { client, ports in
      (name: "\(server.word):\(client)", ports: ports.map { $0.dropFirst(client.count + 1) })
    }
    var entries: [DeviceEntry] = []
    if !card.isEmpty {
      entries.append(
        entry(
          server.word,
          "\(server.name), \(client.rate.hertz) Hz, records from \(card.joined(separator: ", "))",
          channelCount: card.count, client, isDefault: isDefault))
    }
    return entries
      + targets.map { target in
        entry(
          target.name, "\(server.name), ports \(target.ports.joined(separator: ", "))",
          channelCount: target.ports.count, client, isDefault: false)
      }
  }

  private static func entry(
    _ name: String, _ description: String, channelCount: Int, _ client: JACKClient, isDefault: Bool
  ) -> DeviceEntry {
    let (rate, period) = (Int(client.rate.hertz), client.bufferFrames)
    return DeviceEntry(name: name, description: description, isDefault: isDefault) {
      Abilities(
        formats: ["FLOAT_LE"], rates: rate...rate, channels: 1...channelCount,
        periodFrames: period...period, bufferFrames: period...period)
    }
  }

  private static func deviceInputs() -> [DeviceEntry] {
    let hasServer = InputDevice.heardServer(.standard) != nil
    return AudioDevice.all(.capture).map { device in
      DeviceEntry(
        name: device.name, description: device.description,
        isDefault: !hasServer && device.name == AudioDevice.standard.name
      ) { try Abilities(device.capabilities(.capture)) }
    }
  }

  /// A line such as `hw:CARD=PCH,DEV=0 (2 channels, 44100…96000 Hz)`; nil if the device cannot be
  /// opened, unless it is busy.
  private var summary: String? {
    do {
      let can = try ask()
      let channels = can.channels == 1...1 ? "1 channel" : "\(Self.text(can.channels)) channels"
      return "\(name) (\(channels), \(Self.text(can.rates)) Hz)"
    } catch DeviceError.busy {
      return "\(name) (busy)"
    } catch {
      return nil
    }
  }
}
