// SPDX-License-Identifier: Apache-2.0

/// Songs of a given size, the same on every machine, written without the code that is measured.
struct SampleSong {
  private static let tracks = 16
  private var state: UInt64

  private init(seed: UInt64) {
    state = seed
  }

  /// A format 1 file of notes only: running status, offs as offs, 480 PPQN.
  static func notes(_ events: Int) -> [UInt8] {
    var song = SampleSong(seed: 1)
    return song.file(events) { song, channel in song.note(channel, release: 0x80) }
  }

  /// A format 1 file of chords, controllers, bends, lyrics and SysEx.
  static func mixed(_ events: Int) -> [UInt8] {
    var song = SampleSong(seed: 2)
    return song.file(events) { song, channel in
      switch song.random(100) {
      case 0..<50: (0..<3).flatMap { _ in song.note(channel, release: 0x90) }
      case 50..<90: [Event(0, [0xB0 | channel, [1, 7, 10, 11, 64][song.random(5)], song.byte()])]
      case 90..<95: [Event(0, [0xE0 | channel, song.byte(), song.byte()])]
      case 95..<99: [Event(0, [0xFF, 0x05, 3, 0x6C, 0x61, 0x20])]
      default: [Event(0, [0xF0, 8, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0xF7])]
      }
    }
  }

  fileprivate struct Event {
    var tick: Int
    var bytes: [UInt8]

    init(_ tick: Int, _ bytes: [UInt8]) {
      self.tick = tick
      self.bytes = bytes
    }
  }

  private mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func byte() -> UInt8 { UInt8(random(128)) }

  private mutating func note(_ channel: UInt8, release: UInt8) -> [Event] {
    let key = UInt8(36 + random(60))
    let length = [60, 110, 230, 470][random(4)]
    return [
      Event(0, [0x90 | channel, key, UInt8(1 + random(127))]),
      Event(length, [release | channel, key, release == 0x80 ? 64 : 0]),
    ]
  }

  private mutating func file(
    _ events: Int, _ next: (inout SampleSong, UInt8) -> [Event]
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 1, 0, UInt8(Self.tracks), 1, 0xE0]
    for channel in 0..<UInt8(Self.tracks) {
      var list: [Event] = []
      var tick = 0
      while list.count < events / Self.tracks {
        tick += [0, 60, 120, 120, 240][random(5)]
        for event in next(&self, channel) { list.append(Event(tick + event.tick, event.bytes)) }
      }
      bytes += Self.chunk(list)
    }
    return bytes
  }

  private static func chunk(_ events: [Event]) -> [UInt8] {
    var track: [UInt8] = []
    var last = 0
    var running: UInt8 = 0
    // Releases come first at their tick, so that no note is cut.
    let order = events.enumerated().sorted {
      ($0.element.tick, $0.element.isStart, $0.offset)
        < ($1.element.tick, $1.element.isStart, $1.offset)
    }
    for (_, event) in order {
      track += quantity(event.tick - last)
      last = event.tick
      track += event.bytes[0] == running ? event.bytes[1...] : event.bytes[...]
      running = event.bytes[0] < 0xF0 ? event.bytes[0] : 0
    }
    track += [0, 0xFF, 0x2F, 0]
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.count >> $0) }
    return [0x4D, 0x54, 0x72, 0x6B] + length + track
  }

  private static func quantity(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value >> 7 & 0x7F) | 0x80, UInt8(value & 0x7F)]
  }
}

extension SampleSong.Event {
  /// 0 for a release, 1 for everything else.
  fileprivate var isStart: Int {
    bytes[0] & 0xF0 == 0x80 || bytes[0] & 0xF0 == 0x90 && bytes[2] == 0 ? 0 : 1
  }
}
