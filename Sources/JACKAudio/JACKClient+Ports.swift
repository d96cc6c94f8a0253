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
  public var hasCapturePorts: Bool {
    withHandle {
      !$0.ports(JACKHandle.audio, JackPortIsOutput, JackPortIsPhysical).isEmpty
    } ?? false
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
