// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CommandKit
internal import JACKAudio
internal import JSONText
internal import MusicalTime

/// A device or server for playback or recording, with a function that reads its capabilities.
package struct DeviceEntry {
  /// The capabilities of a device.
  struct Abilities {
    let formats: [String]
    let rates: ClosedRange<Int>
    let channels: ClosedRange<Int>
    let periodFrames: ClosedRange<Int>
    let bufferFrames: ClosedRange<Int>
  }

  /// The name as `--audio` takes it.
  let name: String
  let description: String
  /// True if `--audio auto` uses it now.
  let isDefault: Bool
  /// True if the description is the error that `ask` would throw.
  var isFaulty = false
  /// Reads the capabilities, or throws the reason of the failure.
  let ask: () throws -> Abilities

  /// The running servers.
  static func servers() -> [DeviceEntry] {
    let heard = OutputDevice.heardServer(.standard).client?.server
    return JACKServer.running.map { server in
      let name = server.word
      do throws(JACKError) {
        let client = try SharedJACKClient.client(of: server)
        let targets = client.playbackTargets
        let (rate, turn) = (Int(client.rate.hertz), client.bufferFrames)
        return DeviceEntry(
          name: name,
          description: "\(server.name), \(rate) Hz, periods of \(turn) frames, "
            + (targets.isEmpty
              ? "not connected" : "plays to \(targets.joined(separator: ", "))"),
          isDefault: server == heard
        ) {
          Abilities(
            formats: ["FLOAT_LE"], rates: rate...rate, channels: 1...64, periodFrames: turn...turn,
            bufferFrames: turn...turn)
        }
      } catch {
        return DeviceEntry(
          name: name, description: "\(error)", isDefault: false, isFaulty: true
        ) { throw error }
      }
    }
  }

  /// The ALSA devices for playback, in ALSA's order.
  static func devices() -> [DeviceEntry] {
    let isHeard = OutputDevice.heardServer(.standard).client != nil
    return AudioDevice.all(.playback).map { device in
      DeviceEntry(
        name: device.name, description: device.description,
        isDefault: !isHeard && device.name == AudioDevice.standard.name
      ) { try Abilities(device.capabilities()) }
    }
  }

  /// The capabilities in lines, or the error.
  var lines: [String] {
    do {
      let can = try ask()
      return [
        "formats  \(can.formats.joined(separator: " "))", "rates    \(Self.text(can.rates)) Hz",
        "channels \(Self.text(can.channels))", "period   \(Self.text(can.periodFrames)) frames",
        "buffer   \(Self.text(can.bufferFrames)) frames",
      ]
    } catch {
      return isFaulty ? [] : ["\(error)"]
    }
  }

  /// The device as JSON.
  var json: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("name", .text(name)), ("description", .text(description)), ("default", .bool(isDefault)),
    ]
    do {
      let can = try ask()
      members += [
        ("formats", .array(can.formats.map { .text($0) })), ("rates", Self.json(can.rates)),
        ("channels", Self.json(can.channels)), ("periodFrames", Self.json(can.periodFrames)),
        ("bufferFrames", Self.json(can.bufferFrames)),
      ]
    } catch {
      members.append(("error", .text("\(error)")))
    }
    return .object(members)
  }

  static func text(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
  }

  private static func json(_ range: ClosedRange<Int>) -> JSONValue {
    .array([.integer(range.lowerBound), .integer(range.upperBound)])
  }
}

extension DeviceEntry.Abilities {
  /// The capabilities of an ALSA device.
  init(_ can: DeviceCapabilities) {
    self.init(
      formats: can.formats, rates: can.rates, channels: can.channels,
      periodFrames: can.periodFrames, bufferFrames: can.bufferFrames)
  }
}
