// SPDX-License-Identifier: Apache-2.0
internal import CJACK

/// What ports the server has.
extension JACKClient {
  /// The clients that have ports to play to, each once, in the server's order.
  public var playbackTargets: [String] {
    withHandle { Self.clients($0.ports(JACKHandle.audio, JackPortIsInput)) } ?? []
  }

  /// The channels that a target has to play to; nil for none, which takes any number.
  ///
  /// - Throws: `JACKError.noSuchTarget`.
  public func channelCount(of target: JACKTarget) throws(JACKError) -> Int? {
    guard target != .none, let handle else { return nil }
    return try target.ports(of: handle, JackPortIsInput).count
  }

  /// Whether sound can be heard: a card's ports, or what the server takes for a card.
  public var hasPlaybackPorts: Bool {
    withHandle {
      !$0.ports(JACKHandle.audio, JackPortIsInput, JackPortIsPhysical).isEmpty
    } ?? false
  }

  /// Whether there is something to record: a card's ports, or what the server takes for a card.
  public var hasCapturePorts: Bool { !capturePorts.isEmpty }

  /// The other clients that have ports to record from, with the full names of these ports, in the
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

  /// The full names of the ports of a card to record from, or of what the server takes for a card.
  public var capturePorts: [String] {
    withHandle { $0.ports(JACKHandle.audio, JackPortIsOutput, JackPortIsPhysical) } ?? []
  }

  /// The full names of others' MIDI ports that send, or that take what is sent to them.
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
