// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A Standard MIDI File of note-ons at equal distances, for aplaymidi to play.
enum NoteFile {
  /// Keys ascend from 60 and start again after 127, at 120 beats per minute.
  ///
  /// With `holding` each is released this number of ticks later.
  static func bytes(count: Int, ticksApart: Int, division: Int, holding: Int = 0) -> Data {
    var track: [UInt8] = []
    for index in 0..<count {
      let key = UInt8(60 + index % 68)
      let wait = index == 0 ? ticksApart : ticksApart - holding
      track += variableLength(wait) + [0x90, key, 100]
      if holding > 0 { track += variableLength(holding) + [0x80, key, 64] }
    }
    track += [0, 0xFF, 0x2F, 0]
    var file: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1]
    file += [UInt8(division >> 8), UInt8(division & 0xFF)]
    file += Array("MTrk".utf8)
    file += [24, 16, 8, 0].map { UInt8(track.count >> $0 & 0xFF) }
    return Data(file + track)
  }

  private static func variableLength(_ value: Int) -> [UInt8] {
    precondition((0..<1 << 14).contains(value), "two bytes hold it")
    return value < 128 ? [UInt8(value)] : [UInt8(value >> 7 | 0x80), UInt8(value & 0x7F)]
  }
}
