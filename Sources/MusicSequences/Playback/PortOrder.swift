// SPDX-License-Identifier: Apache-2.0

/// The ports of a song in order of first use.
struct PortOrder: Sendable {
  /// The most ports that are told apart; all further ones are the last of these.
  static let limit = 256

  /// The key of each port.
  private(set) var keys: [PortSegment.Key] = []
  private var ports: [PortSegment.Key: Int] = [:]
  /// The numbers of device names, in order of appearance.
  private var devices: [[UInt8]: Int] = [:]

  /// Finds the ports of a song.
  ///
  /// - Parameters:
  ///   - segments: the runs of events of all tracks, track by track.
  ///   - known: ports that keep their places, whether the segments use them or not.
  init(_ segments: some Sequence<PortSegment>, after known: PortOrder? = nil) {
    if let known { self = known }
    for segment in segments {
      if case .device(let name) = segment.key, devices.count < Self.limit, devices[name] == nil {
        devices[name] = devices.count
      }
      // What asks for no port makes a port of its own only if it has the first notes.
      let isUsed = segment.key == .none ? segment.hasNotes && keys.isEmpty : segment.isUsed
      if isUsed, ports[segment.key] == nil, keys.count < Self.limit { add(segment.key) }
    }
  }

  private mutating func add(_ key: PortSegment.Key) {
    ports[key] = keys.count
    // What asks for no port is on the first one, which is number 0 if it came first.
    if key == .none { ports[.number(0)] = 0 }
    keys.append(key)
  }

  /// The port of a key, counted from 0; the first for one that nothing uses.
  func port(of key: PortSegment.Key) -> Int {
    if let port = ports[key] { return port }
    return key == .none || keys.count < Self.limit ? 0 : Self.limit - 1
  }

  /// The number that a key asks for among the ports of a machine; nil for none.
  func number(of key: PortSegment.Key) -> Int? {
    switch key {
    case .none: nil
    case .number(let number): Int(number)
    case .device(let name): devices[name] ?? Self.limit - 1
    }
  }
}
