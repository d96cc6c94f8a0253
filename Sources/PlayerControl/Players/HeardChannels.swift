// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
package import MusicSequences

/// Which channels are heard, as a value: all but the mute ones, or those that are played alone.
package struct HeardChannels: Equatable {
  /// The channels of each port.
  package var muted: PortChannels
  package var soloed: PortChannels

  package init(muted: PortChannels = .none, soloed: PortChannels = .none) {
    (self.muted, self.soloed) = (muted, soloed)
  }

  /// Those that are heard.
  package var heard: PortChannels { (soloed.isEmpty ? .all : soloed).subtracting(muted) }

  /// What a command makes of them; nil for one about anything else.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - chosen: the channel that was chosen, sixteen for each port, from 0; nil where none was.
  /// - Returns: those that are mute or alone from then on.
  /// - Throws: `ControlError.Kind.usage` where the command is about the chosen one and there is none.
  package func changed(by command: PlayCommand, chosen: Int?) throws(ControlError) -> HeardChannels?
  {
    var changed = self
    switch command {
    case .toggleMute: try Self.toggle(chosen, in: &changed.muted)
    case .toggleSolo: try Self.toggle(chosen, in: &changed.soloed)
    case .unmuteAll: changed = HeardChannels()
    case .setMuted(let channels, let some):
      changed.muted = muted.subtracting(some).union(channels)
    case .setSoloed(let channels, let some):
      changed.soloed = soloed.subtracting(some).union(channels)
    default: return nil
    }
    return changed
  }

  private static func toggle(
    _ chosen: Int?, in channels: inout PortChannels
  ) throws(ControlError) {
    guard let chosen else { throw ControlError(.usage, "no channel is selected (press Tab)") }
    channels[chosen >> 4] ^= 1 << UInt16(chosen & 15)
  }
}
