// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

extension Message {
  /// True if it is a note-on.
  public var isStrike: Bool { status & 0xF0 == 0x90 && data2 > 0 }
  /// True if it is a note-off.
  public var isKeyRelease: Bool { status & 0xF0 == 0x80 || status & 0xF0 == 0x90 && data2 == 0 }
}

/// Counts notes as an instrument plays them.
public struct NoteCount {
  /// The number of unreleased note-ons of each key of each channel.
  public private(set) var sounding: [UInt16: Int] = [:]
  /// The number of releases of keys that were not struck.
  public private(set) var strayReleases = 0

  /// Counts the notes of messages, in order.
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
