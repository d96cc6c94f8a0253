// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing

/// The channels of a device that are used, with the sounds on them.
package struct OutputLayout {
  /// The channels of the song; nil for the first two channels of a stereo device.
  package var main: ChannelPair?
  /// The separate outputs: their channels, and the names of their JACK ports.
  package var apart: [(pair: ChannelPair, label: String)] = []

  /// The device channel of each channel of the plan; nil for a stereo device.
  package var channels: ChannelMap? {
    guard main != nil || !apart.isEmpty else { return nil }
    return ChannelMap(([main ?? .first] + apart.map(\.pair)).flatMap(\.places))
  }

  /// The names of JACK's ports, without the number, for each channel.
  package var labels: [String] {
    (["out"] + apart.map(\.label)).flatMap { [$0, $0] }
  }

  /// The last channel that is used, counted from 1.
  package var last: Int { channels?.leastDeviceChannels ?? ChannelPair.first.places.count }

  /// The channels as the end of a sentence; empty for the default.
  package var text: String {
    guard channels != nil else { return "" }
    let others = apart.map { ", \($0.label) on \($0.pair.text)" }
    return ", on channels \((main ?? .first).text)" + others.joined()
  }
}
