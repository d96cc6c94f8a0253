// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
package import MusicSequences

/// The channels that are played, as a value: all channels except muted ones, or only soloed
/// channels.
package struct HeardChannels: Equatable {
  /// The muted channels of each port.
  package var muted: PortChannels
  package var soloed: PortChannels

  package init(muted: PortChannels = .none, soloed: PortChannels = .none) {
    (self.muted, self.soloed) = (muted, soloed)
  }

  /// The channels that are played.
  package var heard: PortChannels { (soloed.isEmpty ? .all : soloed).subtracting(muted) }

  /// The channels after a command; nil for a command that does not change them.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - chosen: The selected channel, counted from 0, with 16 for each port; nil for none.
  /// - Returns: The channels after the command.
  /// - Throws: `ControlError.Kind.usage` if the command needs a selected channel, and none is
  ///   selected.
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
