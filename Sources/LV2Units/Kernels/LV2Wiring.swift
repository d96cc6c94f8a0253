// SPDX-License-Identifier: Apache-2.0

/// Which channel of a unit's buses goes to which port of which instance.
struct LV2Wiring {
  /// From a channel of a bus to a buffer of one quantum, or back; all channels' mean where it is −1.
  struct Way: BitwiseCopyable {
    let channel: Int
    let buffer: Int
  }

  /// The channels of the bus that is heard; 0 where there is none.
  private(set) var inputChannelCount: Int
  /// The channels of the bus that is made.
  private(set) var outputChannelCount: Int
  private(set) var instanceCount = 1
  private(set) var feeds: [Way] = []
  private(set) var takes: [Way] = []

  /// The buffers of an instance are its inputs of sound, then its outputs; those of the next follow.
  init(_ plugin: LV2Plugin, _ buses: LV2Configuration.Buses) {
    let (heard, made) = (plugin.inputCount, plugin.outputCount)
    inputChannelCount = heard
    outputChannelCount = made
    guard buses == .stereo else {
      feeds = (0..<heard).map { Way(channel: $0, buffer: $0) }
      takes = (0..<made).map { Way(channel: $0, buffer: heard + $0) }
      return
    }
    inputChannelCount = heard == 0 ? 0 : 2
    outputChannelCount = 2
    if heard == 1, made == 1 {
      instanceCount = 2
      feeds = [Way(channel: 0, buffer: 0), Way(channel: 1, buffer: 2)]
      takes = [Way(channel: 0, buffer: 1), Way(channel: 1, buffer: 3)]
      return
    }
    feeds =
      heard == 1
      ? [Way(channel: -1, buffer: 0)]
      : (0..<min(2, heard)).map { Way(channel: $0, buffer: $0) }
    takes = (0..<2).map { Way(channel: $0, buffer: heard + min($0, made - 1)) }
  }
}
