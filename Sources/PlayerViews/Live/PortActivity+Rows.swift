// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences
package import PlayerControl
internal import Realtime
package import TerminalViews

extension PortActivity {
  /// The rows of channels; muted channels are marked.
  package func rows(_ heard: HeardChannels = HeardChannels()) -> [LiveState.ChannelRow] {
    channels.map { channel in
      let row = rowsOfAll[Int(channel.index)]
      let age = Double(DeadlineWait.now - row.time) / Self.decay
      let fading = max(1 - age, row.held.isEmpty ? 0 : Self.heldLevel)
      return .init(
        number: channel.number, name: ProgramWords.name(row.program, on: channel),
        level: Double(row.velocity) / 127 * fading, isActive: !row.held.isEmpty,
        isMuted: heard.muted.contains(channel, port: 0),
        isSoloed: heard.soloed.contains(channel, port: 0),
        isHeard: heard.heard.contains(channel, port: 0))
    }
  }
}
