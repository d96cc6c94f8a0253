// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing

/// Which channels of a device are played on, and by what.
package struct OutputLayout {
  /// Where the song goes; nil for the first two channels of a device of two.
  package var main: ChannelPair?
  /// What is heard apart: its channels, and what JACK's ports of it are called.
  package var apart: [(pair: ChannelPair, label: String)] = []

  /// The channels for those of the plan; nil for a device of two channels.
  package var channels: ChannelMap? {
    guard main != nil || !apart.isEmpty else { return nil }
    return ChannelMap(([main ?? .first] + apart.map(\.pair)).flatMap(\.places))
  }

  /// What JACK's ports are called before the channel's number, for each channel.
  package var labels: [String] {
    (["out"] + apart.map(\.label)).flatMap { [$0, $0] }
  }

  /// The last channel that is played on, counted from 1.
  package var last: Int { channels?.leastDeviceChannels ?? ChannelPair.first.places.count }

  /// What is said of it, as the end of a sentence; nothing where nobody chose.
  package var text: String {
    guard channels != nil else { return "" }
    let others = apart.map { ", \($0.label) on \($0.pair.text)" }
    return ", on channels \((main ?? .first).text)" + others.joined()
  }
}
