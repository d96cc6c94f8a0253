// SPDX-License-Identifier: Apache-2.0
package import MusicSequences

extension PortChannels {
  /// Reads channels: `2,10` of every port, `2:10` of port 2 only, `2:1-8` a range of port 2.
  ///
  /// - Throws: `ControlError.Kind.usage` for text that is not a channel, or if no channel is named.
  package init(parsing text: String) throws {
    self.init(0)
    for part in text.split(separator: ",") {
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let channels = try Self.channels(in: String(words[words.count - 1]))
      guard words.count > 1 else {
        formUnion(PortChannels(channels))
        continue
      }
      guard let port = Int(words[0]), (1...TrackPorts.limit).contains(port) else {
        throw ControlError(
          .usage,
          "port '\(words[0])': must be 1…\(TrackPorts.limit), as in 2:10")
      }
      self[port - 1] |= channels
    }
    if isEmpty { throw ControlError(.usage, "channels: none given (try 2,10)") }
  }

  /// Reads channels of one port, such as `2,10` or `1-4`, as a number whose bit n is channel index
  /// n.
  ///
  /// - Throws: `ControlError.Kind.usage` for text that is not a channel, or if no channel is named.
  package static func channels(in text: String) throws -> UInt16 {
    var mask: UInt16 = 0
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-", maxSplits: 1).map { Int($0) }
      guard let low = ends.first ?? nil, let high = ends.count > 1 ? ends[1] : low, low <= high,
        (1...16).contains(low), (1...16).contains(high)
      else {
        throw ControlError(.usage, "channel '\(part)': must be 1…16 or a range (try 1-4)")
      }
      for number in low...high { mask |= 1 << (number - 1) }
    }
    guard mask != 0 else { throw ControlError(.usage, "channels: none given (try 2,10)") }
    return mask
  }
}
