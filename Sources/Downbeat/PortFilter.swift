// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

/// The filter of messages to a destination, for each port.
struct PortFilter: Hashable, Sendable {
  private var filter: MessageFilter
  /// The channels of each port whose notes are played.
  var struckChannels: PortChannels

  /// Creates the same filter for every port.
  init(_ filter: MessageFilter = MessageFilter()) {
    self.filter = filter
    struckChannels = PortChannels(filter.struckChannels)
  }

  /// The filter of a port, counted from 0.
  subscript(port: UInt8) -> MessageFilter {
    var filter = filter
    filter.struckChannels = struckChannels[Int(port)]
    return filter
  }
}
