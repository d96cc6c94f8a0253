// SPDX-License-Identifier: Apache-2.0

/// The ports of a song in order of first use.
struct PortOrder {
  /// The key of each port.
  private(set) var keys: [PortSegment.Key] = []
  /// The device names, in order of appearance.
  private var devices: [[UInt8]] = []

  init(_ segments: some Sequence<PortSegment>) {
    for segment in segments {
      if case .device(let name) = segment.key, !devices.contains(name) { devices.append(name) }
      // What asks for no port makes a port of its own only if it has the first notes.
      let isUsed = segment.key == .none ? segment.hasNotes && keys.isEmpty : segment.isUsed
      if isUsed, !isKnown(segment.key) { keys.append(segment.key) }
    }
  }

  private func isKnown(_ key: PortSegment.Key) -> Bool {
    keys.contains(key) || key == .number(0) && keys.first == PortSegment.Key.none
  }

  /// The port of a key, counted from 0; the first for one that nothing uses.
  func port(of key: PortSegment.Key) -> Int { keys.firstIndex(of: key) ?? 0 }

  /// The number that a key asks for among the ports of a machine; nil for none.
  func number(of key: PortSegment.Key) -> Int? {
    switch key {
    case .none: nil
    case .number(let number): Int(number)
    case .device(let name): devices.firstIndex(of: name)
    }
  }
}
