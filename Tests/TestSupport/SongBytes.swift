// SPDX-License-Identifier: Apache-2.0

/// Small Standard MIDI Files, byte by byte, so that a test's song is independent of this project's
/// writer.
public enum SongBytes {
  /// Creates a format 0 file at 480 PPQN and 120 BPM: 960 ticks per second.
  ///
  /// - Parameter events: The ticks since the previous event, and the event's bytes.
  /// - Returns: The bytes of the file.
  public static func file(_ events: [(delta: Int, bytes: [UInt8])]) -> [UInt8] {
    var track: [UInt8] = []
    for event in events { track += quantity(event.delta) + event.bytes }
    track += [0x00, 0xFF, 0x2F, 0x00]
    return file([track], format: 0)
  }

  /// Creates a format 1 file at 480 PPQN and 120 BPM.
  ///
  /// - Parameter tracks: For each track its name, the ticks since the previous event, and the
  ///   event's bytes.
  /// - Returns: The bytes of the file.
  public static func file(
    tracks: [(name: String, events: [(delta: Int, bytes: [UInt8])])]
  ) -> [UInt8] {
    file(
      tracks.map { track in
        let name = Array(track.name.utf8)
        let head: [UInt8] = name.isEmpty ? [] : [0, 0xFF, 0x03] + quantity(name.count) + name
        return track.events.reduce(head) { $0 + quantity($1.delta) + $1.bytes }
          + [0x00, 0xFF, 0x2F, 0x00]
      }, format: 1)
  }

  private static func file(_ tracks: [[UInt8]], format: UInt8) -> [UInt8] {
    let count = tracks.count
    let header: [UInt8] = [0, format, UInt8(count >> 8), UInt8(count & 0xFF), 0x01, 0xE0]
    return tracks.reduce(into: Array("MThd".utf8) + [0, 0, 0, 6] + header) {
      $0 += Array("MTrk".utf8) + bigEndian($1.count) + $1
    }
  }

  /// Notes of one channel at equal intervals, each held for half the interval.
  public static func notes(
    _ count: Int, every ticks: Int, channel: UInt8 = 0, key: UInt8 = 60, program: UInt8 = 0
  ) -> [UInt8] {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xC0 | channel, program])]
    for index in 0..<count {
      let gap = index == 0 ? 0 : ticks - ticks / 2
      events.append((gap, [0x90 | channel, key, 100]))
      events.append((ticks / 2, [0x80 | channel, key, 64]))
    }
    return file(events)
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func quantity(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
