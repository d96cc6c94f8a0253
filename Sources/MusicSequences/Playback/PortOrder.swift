// SPDX-License-Identifier: Apache-2.0

/// The ports of a song in order of first use.
struct PortOrder {
  /// The key of each port.
  private(set) var keys: [PortSegment.Key] = []
  private var ports: [PortSegment.Key: Int] = [:]
  /// The numbers of device names, in order of appearance.
  private var devices: [[UInt8]: Int] = [:]

  init(_ segments: some Sequence<PortSegment>) {
    for segment in segments {
      if case .device(let name) = segment.key, devices[name] == nil {
        devices[name] = devices.count
      }
      // What asks for no port makes a port of its own only if it has the first notes.
      let isUsed = segment.key == .none ? segment.hasNotes && keys.isEmpty : segment.isUsed
      if isUsed, ports[segment.key] == nil { add(segment.key) }
    }
  }

  private mutating func add(_ key: PortSegment.Key) {
    ports[key] = keys.count
    // What asks for no port is on the first one, which is number 0 if it came first.
    if key == .none { ports[.number(0)] = 0 }
    keys.append(key)
  }

  /// The port of a key, counted from 0; the first for one that nothing uses.
  func port(of key: PortSegment.Key) -> Int { ports[key] ?? 0 }

  /// The number that a key asks for among the ports of a machine; nil for none.
  func number(of key: PortSegment.Key) -> Int? {
    switch key {
    case .none: nil
    case .number(let number): Int(number)
    case .device(let name): devices[name]
    }
  }
}
