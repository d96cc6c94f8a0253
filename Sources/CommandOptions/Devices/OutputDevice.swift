// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
internal import CommandKit
package import JACKAudio
package import MusicalTime
internal import PlayerControl
internal import Realtime

/// What sound goes to: the device or the server that was opened, and why that one.
package struct OutputDevice {
  package private(set) var unit: any OutputUnit
  /// What it is called, as `--audio` takes it.
  package let name: String
  /// Why it was chosen, as a sentence.
  package let reason: String
  /// What becomes of the music where the device is lost.
  private(set) var lossPolicy = DeviceLossPolicy.wait
  /// Whether a person is told how it is fed.
  package var isVerbose = false

  package var rate: SampleRate { unit.format.rate }
  package var xrunCount: Int { unit.xrunCount }

  /// The device or server that it is on now.
  private var current: any OutputUnit { (unit as? MovableOutputUnit)?.current ?? unit }

  /// What it is on now, as `--audio` takes it.
  var currentName: String {
    switch current {
    case let output as ALSAOutputUnit: output.device
    case let output as JACKOutputUnit where !name.hasPrefix(output.client.server.word):
      output.client.server.word
    default: name
    }
  }

  /// The output of a client of a server; nil for a device of ALSA.
  package var jackOutput: JACKOutputUnit? { current as? JACKOutputUnit }

  /// The frames in the buffer of a device of ALSA; nil for a server's.
  var bufferFrames: Int? { (current as? ALSAOutputUnit)?.bufferFrames }

  /// The frames of a period, or of a server's turn.
  var turnFrames: Int { current.periodFrames }

  /// Why it is away, as a sentence.
  var absence: String {
    guard let client = jackOutput?.client, client.serverHertz != rate.hertz else {
      return "the sound device is gone"
    }
    return
      "\(client.server.name) is running at \(client.serverHertz) Hz, not at \(rate.hertz) as before"
  }

  /// How it is fed, in words.
  package var feed: String {
    let turn = turnFrames
    guard let bufferFrames else {
      return "periods of \(turn) frames (\(milliseconds(turn)) ms), set by the server"
    }
    return "periods of \(turn) frames, a buffer of \(milliseconds(bufferFrames)) ms"
  }

  /// What helps where it runs dry.
  package var remedy: String {
    guard let server = jackOutput?.client.server else { return "try --latency safe" }
    return "try a longer period of \(server.name): \(turnsCommand(2 * turnFrames))"
  }

  /// The command that gives a server turns of a length.
  func turnsCommand(_ frames: Int) -> String {
    jackOutput?.client.server == .pipewire
      ? "pw-metadata -n settings 0 clock.force-quantum \(frames)" : "jackd -p \(frames)"
  }

  /// How long frames are, in milliseconds, to the tenth.
  package func milliseconds(_ frames: Int) -> String {
    Ratio(Int64(frames) * 1000, over: Int64(rate.hertz)).decimal(1)
  }

  /// Why the thread that renders has no priority; nil where it has, or is the server's.
  package var refusal: String? { (current as? ALSAOutputUnit)?.scheduling?.refusal }
}

/// A device that may be lost.
extension OutputDevice {
  /// The same device, for what is to become of the music when it is lost.
  ///
  /// - Parameters:
  ///   - policy: what is to become of it.
  ///   - layout: which channels of a device that takes its place are played on.
  ///   - feed: how a device of ALSA that takes its place is fed.
  /// - Returns: the device.
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

  /// Another device or server than the one that was lost, at its rate; nil where there is none, or
  /// none with the channels.
  private static func replacement(
    of lost: any OutputUnit, _ layout: OutputLayout, _ feed: Feed
  ) -> (any OutputUnit)? {
    let rate = RateChoice.only(lost.format.rate)
    do {
      // A client whose server is gone has no ports to play to.
      if let client = heardServer(rate).client {
        return try jack(client, to: .physical, rate: rate, layout: layout, reason: "").unit
      }
      let standard = "default"
      guard (lost as? ALSAOutputUnit)?.device != standard else { return nil }
      return try alsa(standard, rate: rate, layout: layout, feed: feed, reason: "").unit
    } catch {
      // Not there yet.
      return nil
    }
  }
}

/// Opening what is wished for.
extension OutputDevice {
  /// How it is fed.
  package struct Feed {
    /// Frames in a period of ALSA's device; a server has its own.
    package var period = 512
    package var periods = 4
    /// To how many periods its buffer may grow; 0 for never.
    var mostPeriods = 0

    /// Creates it from its parts.
    package init(period: Int = 512, periods: Int = 4, mostPeriods: Int = 0) {
      self.period = period
      self.periods = periods
      self.mostPeriods = mostPeriods
    }
  }

  /// Opens a device, which does not sound yet.
  ///
  /// - Parameters:
  ///   - wish: which.
  ///   - rate: frames a second; a server has its own where nobody chose.
  ///   - layout: which of its channels are played on.
  ///   - feed: how a device of ALSA is fed.
  /// - Returns: the device.
  /// - Throws: `DeviceError`, `JACKError`, or a sentence where a server has no card either.
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
          // Who has a server looks for its card, and not for ALSA's.
          guard case .noSoundDevice = error, !JACKServer.running.isEmpty else { throw error }
          throw Failure(
            .noDevice, "no sound device: \(reason), and ALSA found none (connect a device)",
            concernsMachine: true)
        }
      }
      return try jack(client, to: .physical, rate: rate, layout: layout, reason: reason)
    }
  }

  /// The same error, which tells of servers that run too.
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

  /// The server that `--audio auto` plays on, or none, and why.
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
