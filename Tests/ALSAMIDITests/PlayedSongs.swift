// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicSequences

/// Songs to play to ports, byte by byte: 480 ticks per quarter note, 120 beats per minute.
enum PlayedSongs {
  /// The number of notes at one instant: more than fit into the kernel's pool without its reserve.
  static let crowdCount = 1900

  /// Events of every kind on all channels.
  static func everything() throws -> Data {
    Data(try SMFWriter().write(ScatteredSong.sequence()))
  }

  /// Note-ons at one instant, and their note-offs at another.
  static var crowd: Data {
    var track = Track()
    for (tick, kind) in [(480, UInt8(0x90)), (1920, UInt8(0x80))] {
      for index in 0..<crowdCount {
        track.add(tick, [kind | UInt8(index / 128), UInt8(index % 128), 64])
      }
    }
    return file([track])
  }

  /// The number of events in `flood`.
  static let floodCount = 100_000

  /// Alternating note-ons and note-offs, one every 100 µs.
  static var flood: Data {
    var track = Track()
    // 48 ms per quarter note: a tick is 100 µs.
    track.add(0, [0xFF, 0x51, 3, 0, 0xBB, 0x80])
    for index in 0..<floodCount {
      let kind: UInt8 = index % 2 == 0 ? 0x90 : 0x80
      track.add(1000 + index, [kind, UInt8(index / 2 % 128), 64])
    }
    return file([track])
  }

  /// A note on each of 641 tracks, never more at a time than fit in a receiver's pool.
  static var manyTracks: Data {
    file(
      (0..<641).map { index in
        var track = Track()
        track.note(UInt8(index % 128), from: index * 8, to: index * 8 + 480)
        return track
      })
  }

  /// 8,192 bytes between F0 and F7, and a note.
  static var longSysEx: Data {
    var sysEx: [UInt8] = [0xF0, 0xC0, 0x01]
    for index in 0..<8192 { sysEx.append(UInt8(index % 128)) }
    sysEx.append(0xF7)
    var track = Track()
    track.add(0, sysEx)
    track.note(60, from: 1, to: 2)
    return file([track])
  }

  /// A SysEx of 5,000 bytes between F0 and F7, a note, and at the end the same SysEx.
  static var dumps: Data {
    var sysEx: [UInt8] = [0xF0, 0xA7, 0x09]
    for index in 0..<5000 { sysEx.append(UInt8(index % 128)) }
    sysEx.append(0xF7)
    var track = Track()
    track.add(0, sysEx)
    track.note(60, from: 1, to: 2)
    track.add(4, sysEx)
    return file([track])
  }

  /// The specification's example of a SysEx in packets, at 0, 0.5 and 1 s, and a note.
  static var packets: Data {
    var track = Track()
    track.add(0, [0xF0, 3, 0x43, 0x12, 0x00])
    track.add(480, [0xF7, 3, 0x43, 0x12, 0x00])
    track.add(960, [0xF7, 4, 0x43, 0x12, 0x00, 0xF7])
    track.note(60, from: 1200, to: 1440)
    return file([track])
  }

  /// A SysEx whose second packet follows after 20 s.
  static var slowPackets: Data {
    var track = Track()
    track.add(0, [0xF0, 3, 0x43, 0x12, 0x00])
    track.add(19_200, [0xF7, 4, 0x43, 0x12, 0x00, 0xF7])
    return file([track])
  }

  /// Sixteen notes from key 40 up, four per second.
  static var scale: Data {
    var track = Track()
    track.addNotes(16)
    return file([track])
  }

  /// Four notes from key 40 up, the middle two between loop marks, and a drum.
  static var loop: Data {
    var track = Track()
    track.note(36, channel: 9, from: 0, to: 0)
    track.note(40, from: 0, to: 120)
    track.add(240, [0xFF, 6, 9] + Array("loopStart".utf8))
    track.note(41, from: 240, to: 360)
    track.note(42, from: 480, to: 600)
    track.add(720, [0xFF, 6, 7] + Array("loopEnd".utf8))
    track.note(43, from: 720, to: 840)
    return file([track])
  }

  /// A track for the first port and one for the second.
  static var twoPorts: Data {
    file(
      (0..<2).map { (port: UInt8) in
        var track = Track()
        track.add(0, [0xFF, 0x21, 1, port])
        track.note(70 + port, channel: 1 + port, from: 10, to: 100)
        return track
      })
  }

  /// A program, a volume, and notes for a hundred seconds.
  static var long: Data {
    var track = Track()
    track.add(0, [0xC0, 33])
    track.add(0, [0xB0, 7, 55])
    track.addNotes(400)
    return file([track])
  }

  /// Sixteen notes on four channels, held for a minute, with a pedal and a bend.
  static var held: Data {
    var track = Track()
    track.add(0, [0xB0, 64, 127])
    track.add(0, [0xE0, 0, 0])
    for index in 0..<UInt8(16) { track.add(10, [0x90 | index % 4, 60 + index, 100]) }
    for index in 0..<UInt8(16) { track.add(57600, [0x80 | index % 4, 60 + index, 64]) }
    return file([track])
  }

  /// A track chunk that is being built.
  private struct Track {
    private(set) var bytes: [UInt8] = []
    private var now = 0

    mutating func add(_ tick: Int, _ event: [UInt8]) {
      bytes += quantity(tick - now)
      bytes += event
      now = tick
    }

    mutating func note(_ key: UInt8, channel: UInt8 = 0, from start: Int, to end: Int) {
      add(start, [0x90 | channel, key, 64])
      add(end, [0x80 | channel, key, 64])
    }

    mutating func addNotes(_ count: Int) {
      for index in 0..<count {
        note(UInt8(40 + index % 80), from: index * 240, to: index * 240 + 120)
      }
    }

    private func quantity(_ value: Int) -> [UInt8] {
      precondition((0..<1 << 21).contains(value), "three bytes hold it")
      var bytes: [UInt8] = []
      for shift in [14, 7] where value >> shift > 0 {
        bytes.append(UInt8(value >> shift & 0x7F) | 0x80)
      }
      bytes.append(UInt8(value & 0x7F))
      return bytes
    }
  }

  private static func file(_ tracks: [Track]) -> Data {
    var bytes: [UInt8] = Array("MThd".utf8)
    bytes += [0, 0, 0, 6, 0, 1, UInt8(tracks.count >> 8), UInt8(tracks.count & 255), 0x01, 0xE0]
    for track in tracks {
      let chunk = track.bytes + [0, 0xFF, 0x2F, 0]
      bytes += Array("MTrk".utf8)
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(chunk.count >> shift & 0xFF)) }
      bytes += chunk
    }
    return Data(bytes)
  }
}
