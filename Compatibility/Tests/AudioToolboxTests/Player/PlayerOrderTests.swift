// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import CoreMIDI
import Foundation
import TestSupport
import Testing

/// The order in which a player sends the events of a file at the same tick.
@Suite struct PlayerOrderTests {
  /// Songs with 480 ticks per quarter note, and the messages that arrive before key 127.
  static let songs: [(tracks: [[(delta: Int, bytes: [UInt8])]], sent: [[UInt8]])] = [
    (
      [[(0, [0x90, 60, 9]), (48, [0xB0, 64, 127]), (0, [0x80, 60, 1]), (48, [0xB0, 64, 0])]],
      [[0x90, 60, 9], [0xB0, 64, 127], [0x80, 60, 1], [0xB0, 64, 0]]
    ),
    (
      [[(48, [0x90, 60, 9]), (0, [0xB0, 120, 0]), (48, [0x80, 60, 1])]],
      [[0x90, 60, 9], [0xB0, 120, 0], [0x80, 60, 1]]
    ),
    (
      [[(48, [0x90, 60, 9]), (0, [0x80, 60, 1]), (0, [0x90, 60, 8]), (48, [0x80, 60, 2])]],
      [[0x90, 60, 9], [0x80, 60, 1], [0x90, 60, 8], [0x80, 60, 2]]
    ),
    (
      [
        [(0, [0x90, 60, 9]), (48, [0x90, 60, 8]), (0, [0x80, 60, 1]), (48, [0x80, 60, 2])],
        [(48, [0xB0, 7, 1])],
      ],
      [[0x90, 60, 9], [0xB0, 7, 1], [0x80, 60, 1], [0x90, 60, 8], [0x80, 60, 2]]
    ),
    (
      [[(0, [0x90, 60, 9])], [(48, [0x80, 60, 3])]], [[0x90, 60, 9], [0x80, 60, 3]]
    ),
  ]

  @Test(arguments: songs.indices)
  func `events of a file at the same tick arrive in the order of the file`(index: Int) async {
    let song = Self.songs[index]
    let last: [(delta: Int, bytes: [UInt8])] = [(192, [0x90, 127, 9]), (1, [0x80, 127, 9])]
    let bytes = SongBytes.file(tracks: (song.tracks + [last]).map { (name: "", events: $0) })
    let sequence = TestSequence()
    let data = Data(bytes) as CFData
    #expect(MusicSequenceFileLoadData(sequence.handle, data, .anyType, []) == 0)
    let studio = MIDIStudio("order")
    var player: MusicPlayer?
    NewMusicPlayer(&player)
    MusicSequenceSetMIDIEndpoint(sequence.handle, studio.destination)
    MusicPlayerSetSequence(player, sequence.handle)
    MusicPlayerSetPlayRateScalar(player, 8)
    func arrived() -> [[UInt8]] {
      studio.arrived.bytes.flatMap { bytes in
        stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<min($0 + 3, bytes.count)]) }
      }
    }
    #expect(MusicPlayerStart(player) == 0)
    await wait { arrived().contains { $0.starts(with: [0x90, 127]) } }
    MusicPlayerStop(player)
    DisposeMusicPlayer(player)
    #expect(Array(arrived().prefix { $0[1] != 127 }) == song.sent)
  }
}
