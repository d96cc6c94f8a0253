// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MusicSequences

extension PortChannels {
  /// Reads channels: `2,10` of every port, `2:10` of port 2 alone, `2:1-8` a range of it.
  ///
  /// - Throws: `ValidationError` for what is not a channel, or names none.
  init(parsing text: String) throws {
    self.init(0)
    for part in text.split(separator: ",") {
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let channels = try FilterOptions.channels(in: String(words[words.count - 1]))
      guard words.count > 1 else {
        formUnion(PortChannels(channels))
        continue
      }
      guard let port = Int(words[0]), (1...TrackPorts.limit).contains(port) else {
        throw ValidationError(
          "port '\(words[0])': a number of 1…\(TrackPorts.limit), as in 2:10")
      }
      self[port - 1] |= channels
    }
    if isEmpty { throw ValidationError("channels: none is named") }
  }
}
