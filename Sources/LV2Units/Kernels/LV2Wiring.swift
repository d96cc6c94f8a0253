// SPDX-License-Identifier: Apache-2.0

/// The mapping between channels of a unit's buses and audio ports of its instances.
struct LV2Wiring {
  /// A connection between a bus channel and a buffer of one quantum; channel −1 is the mean of all
  /// channels.
  struct Way: BitwiseCopyable {
    let channel: Int
    let buffer: Int
  }

  /// Number of channels of the input bus; 0 without an input bus.
  private(set) var inputChannelCount: Int
  /// Number of channels of the output bus.
  private(set) var outputChannelCount: Int
  private(set) var instanceCount = 1
  private(set) var feeds: [Way] = []
  private(set) var takes: [Way] = []

  /// Creates the mapping; each instance's buffers are its audio inputs, then its audio outputs.
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
