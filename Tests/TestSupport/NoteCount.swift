// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

extension Message {
  /// Whether it strikes a key.
  public var isStrike: Bool { status & 0xF0 == 0x90 && data2 > 0 }
  /// Whether it releases a key.
  public var isKeyRelease: Bool { status & 0xF0 == 0x80 || status & 0xF0 == 0x90 && data2 == 0 }
}

/// Counts notes as an instrument hears them.
public struct NoteCount {
  /// How often each key of each channel is struck still.
  public private(set) var sounding: [UInt16: Int] = [:]
  /// Releases of keys that were not struck.
  public private(set) var strayReleases = 0

  /// Counts what comes of messages, in their order.
  public init(_ messages: some Sequence<Message>) {
    for message in messages {
      let slot = UInt16(message.status & 15) << 8 | UInt16(message.data1)
      if message.isStrike { sounding[slot, default: 0] += 1 }
      guard message.isKeyRelease else { continue }
      if sounding[slot, default: 0] == 0 { strayReleases += 1 }
      sounding[slot] = max(0, sounding[slot, default: 0] - 1)
    }
    sounding = sounding.filter { $0.value != 0 }
  }
}
