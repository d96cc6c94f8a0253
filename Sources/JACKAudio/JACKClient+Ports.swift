// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// The ports of the server.
extension JACKClient {
  /// The names of the clients that have ports for playback, in the server's order.
  public var playbackTargets: [String] {
    withHandle { Self.clients($0.ports(JACKHandle.audio, JackPortIsInput)) } ?? []
  }

  /// Returns the number of channels of a target; nil for `none`, which accepts any number.
  ///
  /// - Throws: `JACKError.noSuchTarget` if the target does not have suitable ports.
  public func channelCount(of target: JACKTarget) throws(JACKError) -> Int? {
    guard target != .none, let handle else { return nil }
    return try target.ports(of: handle, JackPortIsInput).count
  }

  /// True if there are ports for playback on a sound card, or on a program that replaces it.
  public var hasPlaybackPorts: Bool {
    withHandle {
      !$0.ports(JACKHandle.audio, JackPortIsInput, JackPortIsPhysical).isEmpty
    } ?? false
  }

  /// True if there are ports for recording from a sound card, or from a program that replaces it.
  public var hasCapturePorts: Bool { !capturePorts.isEmpty }

  /// The other clients that have ports for recording, with the full names of these ports, in the
  /// server's order.
  public var captureTargets: [(client: String, ports: [String])] {
    withHandle { handle in
      let ports = handle.ports(JACKHandle.audio, JackPortIsOutput)
      let names = Self.clients(ports).reduce(into: [String]()) { names, name in
        if !names.contains(name) { names.append(name) }
      }
      return names.map { name in (name, ports.filter { $0.hasPrefix("\(name):") }) }
    } ?? []
  }

  /// The full names of the ports for recording from a sound card, or from a program that replaces
  /// it.
  public var capturePorts: [String] {
    withHandle { $0.ports(JACKHandle.audio, JackPortIsOutput, JackPortIsPhysical) } ?? []
  }

  /// The full names of MIDI ports of other clients that send (`isSource`) or receive.
  func midiPorts(_ isSource: Bool, isPhysical: Bool = false) -> [String] {
    let direction = isSource ? JackPortIsOutput : JackPortIsInput
    return withHandle { handle in
      isPhysical
        ? handle.ports(JACKHandle.midi, direction, JackPortIsPhysical)
        : handle.ports(JACKHandle.midi, direction)
    } ?? []
  }

  static func clients(_ ports: [String]) -> [String] {
    ports.compactMap { $0.split(separator: ":").first.map(String.init) }
      .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}
