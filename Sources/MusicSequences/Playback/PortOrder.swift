// SPDX-License-Identifier: Apache-2.0

/// The ports of a song in order of first use.
struct PortOrder: Sendable {
  /// The most ports that are distinguished; all further ports share the last number.
  static let limit = 256

  /// The key of each port.
  private(set) var keys: [PortSegment.Key] = []
  private var ports: [PortSegment.Key: Int] = [:]
  /// The numbers of device names, in order of appearance.
  private var devices: [[UInt8]: Int] = [:]

  /// Finds the ports of a song.
  ///
  /// - Parameters:
  ///   - segments: The port segments of all tracks, track by track.
  ///   - known: Ports that keep their numbers even if they are not used.
  init(_ segments: some Sequence<PortSegment>, after known: PortOrder? = nil) {
    if let known { self = known }
    for segment in segments {
      if case .device(let name) = segment.key, devices.count < Self.limit, devices[name] == nil {
        devices[name] = devices.count
      }
      // Events without a port get a port only if they contain the first notes.
      let isUsed = segment.key == .none ? segment.hasNotes && keys.isEmpty : segment.isUsed
      if isUsed, ports[segment.key] == nil, keys.count < Self.limit { add(segment.key) }
    }
  }

  private mutating func add(_ key: PortSegment.Key) {
    ports[key] = keys.count
    // Events without a port use the first port. If they were first, that port is also number 0.
    if key == .none { ports[.number(0)] = 0 }
    keys.append(key)
  }

  /// The port of a key, counted from 0; the first port if the key is not used.
  func port(of key: PortSegment.Key) -> Int {
    if let port = ports[key] { return port }
    return key == .none || keys.count < Self.limit ? 0 : Self.limit - 1
  }

  /// The number that selects one of the ports of a machine; nil for no selection.
  func number(of key: PortSegment.Key) -> Int? {
    switch key {
    case .none: nil
    case .number(let number): Int(number)
    case .device(let name): devices[name] ?? Self.limit - 1
    }
  }
}
