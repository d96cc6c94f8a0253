// SPDX-License-Identifier: Apache-2.0

/// Bytes of small Standard MIDI Files.
enum TempoSong {
  /// A file of one track.
  ///
  /// The events are delta times and the bytes that follow them; the end of the track is added.
  static func file(division: UInt16, _ events: [(delta: Int, bytes: [UInt8])]) -> [UInt8] {
    var track: [UInt8] = []
    for event in events { track += quantity(event.delta) + event.bytes }
    track += [0, 0xFF, 0x2F, 0]
    return Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1]
      + [UInt8(division >> 8), UInt8(division & 0xFF)] + Array("MTrk".utf8)
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.count >> $0) } + track
  }

  /// Tempo changes on every bar of 4/4, from 200 ms to a second a quarter note.
  static func tempoChanges(count: Int, ppq: Int) -> [UInt8] {
    file(
      division: UInt16(ppq),
      (0..<count).map { index in
        (index == 0 ? 0 : 4 * ppq, tempo(200_000 + index * 7919 % 800_001))
      })
  }

  /// A Set Tempo event.
  static func tempo(_ microseconds: Int) -> [UInt8] {
    [0xFF, 0x51, 3] + [16, 8, 0].map { UInt8(truncatingIfNeeded: microseconds >> $0) }
  }

  /// A marker event.
  static func marker(_ name: String) -> [UInt8] {
    [0xFF, 6] + quantity(name.utf8.count) + Array(name.utf8)
  }

  /// A variable-length quantity.
  static func quantity(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
