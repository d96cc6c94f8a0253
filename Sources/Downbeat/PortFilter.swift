// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

/// Which messages of each port pass on their way to a destination.
struct PortFilter: Hashable, Sendable {
  private var filter: MessageFilter
  /// The channels of each port on which notes are struck.
  var struckChannels: PortChannels

  /// The same filter for every port.
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
