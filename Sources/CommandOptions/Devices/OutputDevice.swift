// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
internal import CommandKit
package import JACKAudio
package import MusicalTime
internal import PlayerControl
internal import Realtime

/// The sound output that was opened, with the reason for its choice.
package struct OutputDevice {
  package private(set) var unit: any OutputUnit
  /// The name, as in `--audio`.
  package let name: String
  /// The reason for the choice, as text for the user.
  package let reason: String
  /// The action if the device disappears.
  private(set) var lossPolicy = DeviceLossPolicy.wait
  /// True if the device and its buffer are reported to the user.
  package var isVerbose = false

  package var rate: SampleRate { unit.format.rate }
  package var xrunCount: Int { unit.xrunCount }

  /// The current device or server.
  private var current: any OutputUnit { (unit as? MovableOutputUnit)?.current ?? unit }

  /// The current device or server, as in `--audio`.
  var currentName: String {
    switch current {
    case let output as ALSAOutputUnit: output.device
    case let output as JACKOutputUnit where !name.hasPrefix(output.client.server.word):
      output.client.server.word
    default: name
    }
  }

  /// The output on a server; nil for an ALSA device.
  package var jackOutput: JACKOutputUnit? { current as? JACKOutputUnit }

  /// The frames in the buffer of an ALSA device; nil for a server.
  var bufferFrames: Int? { (current as? ALSAOutputUnit)?.bufferFrames }

  /// The frames in a period.
  var turnFrames: Int { current.periodFrames }

  /// The reason why the output is lost, as text for the user.
  var absence: String {
    guard let client = jackOutput?.client, client.serverHertz != rate.hertz else {
      return "the sound device is gone"
    }
    return
      "\(client.server.name) is running at \(client.serverHertz) Hz, not at \(rate.hertz) as before"
  }

  /// The period and buffer, as text for the user.
  package var feed: String {
    let turn = turnFrames
    guard let bufferFrames else {
      return "periods of \(turn) frames (\(milliseconds(turn)) ms), set by the server"
    }
    return "periods of \(turn) frames, a buffer of \(milliseconds(bufferFrames)) ms"
  }

  /// Advice against underruns, for the user.
  package var remedy: String {
    guard let server = jackOutput?.client.server else { return "try --latency safe" }
    return "try a longer period of \(server.name): \(turnsCommand(2 * turnFrames))"
  }

  /// The command that sets the period of the server.
  func turnsCommand(_ frames: Int) -> String {
    jackOutput?.client.server == .pipewire
      ? "pw-metadata -n settings 0 clock.force-quantum \(frames)" : "jackd -p \(frames)"
  }

  /// The length of frames in milliseconds, with one decimal.
  package func milliseconds(_ frames: Int) -> String {
    Ratio(Int64(frames) * 1000, over: Int64(rate.hertz)).decimal(1)
  }

  /// The reason why the render thread does not have real-time priority; nil if it has, or if the
  /// server owns the thread.
  package var refusal: String? { (current as? ALSAOutputUnit)?.scheduling?.refusal }
}

/// Replacement of a lost device.
extension OutputDevice {
  /// The device with an action for its loss.
  ///
  /// - Parameters:
  ///   - policy: The action.
  ///   - layout: The channels to use on a replacement device.
  ///   - feed: The period and buffer of an ALSA replacement device.
  /// - Returns: The device.
  package func kept(
    _ policy: DeviceLossPolicy, _ layout: OutputLayout, _ feed: Feed
  ) -> OutputDevice {
    var device = self
    device.lossPolicy = policy
    if policy.moves {
      device.unit = MovableOutputUnit(unit) { Self.replacement(of: $0, layout, feed) }
    }
    return device
  }

  /// Another device or server at the rate of the lost one; nil if none is found, or none has the
  /// channels.
  private static func replacement(
    of lost: any OutputUnit, _ layout: OutputLayout, _ feed: Feed
  ) -> (any OutputUnit)? {
    let rate = RateChoice.only(lost.format.rate)
    do {
      // A client whose server is gone has only its own ports.
      if let client = heardServer(rate).client {
        return try jack(client, to: .physical, rate: rate, layout: layout, reason: "").unit
      }
      let standard = "default"
      guard (lost as? ALSAOutputUnit)?.device != standard else { return nil }
      return try alsa(standard, rate: rate, layout: layout, feed: feed, reason: "").unit
    } catch {
      // Not available yet.
      return nil
    }
  }
}

/// Opening the selected output.
extension OutputDevice {
  /// The period and buffer of a device.
  package struct Feed {
    /// The frames in a period of an ALSA device; a server has its own.
    package var period = 512
    package var periods = 4
    /// The number of periods to which the buffer may grow; 0 if it does not grow.
    var mostPeriods = 0

    /// Creates a period and buffer.
    package init(period: Int = 512, periods: Int = 4, mostPeriods: Int = 0) {
      self.period = period
      self.periods = periods
      self.mostPeriods = mostPeriods
    }
  }

  /// Opens a device, without starting it.
  ///
  /// - Parameters:
  ///   - wish: The value of `--audio`.
  ///   - rate: The sample rate; a server uses its own unless a rate was chosen.
  ///   - layout: The channels to use.
  ///   - feed: The period and buffer of an ALSA device.
  /// - Returns: The device.
  /// - Throws: `DeviceError`, `JACKError`, or `Failure` if neither a server nor ALSA has a device.
  package static func open(
    _ wish: AudioChoice, rate: RateChoice, layout: OutputLayout = OutputLayout(), feed: Feed
  ) throws -> OutputDevice {
    switch wish {
    case .alsa(let name):
      do throws(DeviceError) {
        return try alsa(name, rate: rate, layout: layout, feed: feed, reason: "as requested")
      } catch {
        throw besideServers(error)
      }
    case .jack(let server, let target):
      let client = try SharedJACKClient.client(of: server)
      return try jack(client, to: target, rate: rate, layout: layout, reason: "as requested")
    case .auto:
      let server = heardServer(rate)
      let reason = server.reason
      guard let client = server.client else {
        do throws(DeviceError) {
          return try alsa("default", rate: rate, layout: layout, feed: feed, reason: reason)
        } catch {
          // If a server runs, the user expects its card, not ALSA's.
          guard case .noSoundDevice = error, !JACKServer.running.isEmpty else { throw error }
          throw Failure(
            .noDevice, "no sound device: \(reason), and ALSA found none (connect a device)",
            concernsMachine: true)
        }
      }
      return try jack(client, to: .physical, rate: rate, layout: layout, reason: reason)
    }
  }

  /// The error of an ALSA device, extended by the running servers.
  private static func besideServers(_ error: DeviceError) -> any Error {
    let servers = JACKServer.running
    guard let server = servers.first else { return error }
    return switch error {
    case .noSuchDevice(let name, let candidates):
      DeviceError.noSuchDevice(name, candidates: servers.map(\.word) + candidates)
    case .noSoundDevice:
      Failure(
        .noDevice,
        "ALSA did not find a sound device, but \(server.name) is running (try --audio "
          + "\(server.word))",
        concernsMachine: true)
    default: error
    }
  }

  /// The server that `--audio auto` plays on, or none, with the reason.
  package static func heardServer(_ rate: RateChoice) -> AutomaticServer {
    var reasons: [String] = []
    var isLibraryMissing = false
    for server in JACKServer.running {
      do throws(JACKError) {
        let client = try SharedJACKClient.client(of: server)
        guard client.hasPlaybackPorts else {
          reasons.append("\(server.name) is running without a sound card")
          continue
        }
        guard !rate.isChosen || client.rate == rate.rate else {
          reasons.append("\(server.name) is running at \(client.rate.hertz) Hz")
          continue
        }
        return AutomaticServer(client: client, reason: "\(server.name) is running")
      } catch {
        if case .noLibrary = error { isLibraryMissing = true }
        reasons.append("\(error)")
      }
    }
    let reason = reasons.isEmpty ? "no sound server is running" : reasons.joined(separator: "; ")
    return AutomaticServer(reason: reason, isLibraryMissing: isLibraryMissing)
  }

  private static func jack(
    _ client: JACKClient, to target: JACKTarget, rate: RateChoice, layout: OutputLayout,
    reason: String
  ) throws(JACKError) -> OutputDevice {
    guard !rate.isChosen || client.rate == rate.rate else {
      throw .rateDiffers(
        client.server, hertz: Int(client.rate.hertz), wanted: Int(rate.rate.hertz))
    }
    if let channels = layout.channels, let count = try client.channelCount(of: target),
      count < channels.leastDeviceChannels
    {
      throw .noSuchChannel(target, channels.leastDeviceChannels, count: count)
    }
    let unit = JACKOutputUnit(
      on: client, to: target, channels: layout.channels, labels: layout.labels)
    return OutputDevice(
      unit: unit, name: AudioChoice.jack(client.server, target).text, reason: reason)
  }

  private static func alsa(
    _ name: String, rate: RateChoice, layout: OutputLayout, feed: Feed, reason: String
  ) throws(DeviceError) -> OutputDevice {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = name
    wishes.channels = layout.channels
    wishes.periodFrames = feed.period
    wishes.periodCount = feed.periods
    wishes.mostPeriods = feed.mostPeriods
    wishes.patience = SharedJACKClient.patience
    return OutputDevice(
      unit: try ALSAOutputUnit(rate: rate.rate, wishes: wishes), name: name, reason: reason)
  }
}
