// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import CoreMIDI
import TestSupport
import Testing

/// The messages that a player sends to a destination in this process.
///
/// The songs are shorter than the 100 ms that a player sends in advance, so that nothing is left
/// out on a busy machine.
@Suite struct PlayerRuleTests {
  private final class TestPlayer {
    var handle: MusicPlayer?
    let studio = MIDIStudio("player")

    init(_ sequence: TestSequence) {
      NewMusicPlayer(&handle)
      MusicSequenceSetMIDIEndpoint(sequence.handle, studio.destination)
      MusicPlayerSetSequence(handle, sequence.handle)
      MusicPlayerSetPlayRateScalar(handle, 8)
    }

    deinit { DisposeMusicPlayer(handle) }

    /// Plays until the key that ends the test; returns the keys before it, in order.
    func keys(until last: UInt8 = 127) async -> [UInt8] {
      #expect(MusicPlayerStart(handle) == 0)
      // Notes with the same time share a packet.
      func struck() -> [UInt8] {
        studio.arrived.bytes.filter { $0[0] < 0xF0 }.flatMap { bytes in
          stride(from: 0, to: bytes.count, by: 3).filter { bytes[$0] & 0xF0 == 0x90 }
            .map { bytes[$0 + 1] }
        }
      }
      await wait { struck().contains(last) }
      #expect(MusicPlayerStop(handle) == 0)
      return Array(struck().prefix { $0 != last })
    }
  }

  /// A sequence whose tracks have one key each (1, 2 and so on), and a last track with the final
  /// key.
  private func sequence(tracks count: Int) -> TestSequence {
    let sequence = TestSequence(tracks: count + 1)
    for track in 0..<count { addNote(sequence.tracks[track], UInt8(track + 1), at: 0.1) }
    addNote(sequence.tracks[count], 127, at: 0.5)
    return sequence
  }

  private func set(_ property: UInt32, _ tracks: [Int], of sequence: TestSequence) {
    for track in tracks {
      var flag = DarwinBoolean(true)
      MusicTrackSetProperty(sequence.tracks[track], property, &flag, 1)
    }
  }

  /// Muted tracks, soloed tracks, and the keys that are played; the last track is also soloed.
  static let parts: [(mute: [Int], solo: [Int], heard: [UInt8])] = [
    ([], [], [1, 2, 3]), ([0], [], [2, 3]), ([], [1, 3], [2]), ([1], [1, 3], []),
    ([0], [2, 3], [3]), ([1], [1], [1, 3]),
  ]

  @Test(arguments: parts)
  func `Muted tracks are silent, and so are other tracks if some are soloed`(
    part: (mute: [Int], solo: [Int], heard: [UInt8])
  ) async {
    let sequence = sequence(tracks: 3)
    set(kSequenceTrackProperty_MuteStatus, part.mute, of: sequence)
    set(kSequenceTrackProperty_SoloStatus, part.solo, of: sequence)
    #expect(await TestPlayer(sequence).keys().sorted() == part.heard)
  }

  @Test func `A loop with 0 passes is endless, and a track with an offset is delayed`() async {
    let sequence = TestSequence(tracks: 3)
    addNote(sequence.tracks[0], 1, at: 0, duration: 0.05)
    setLength(sequence.tracks[0], 0.1)
    var loop = MusicTrackLoopInfo(loopDuration: 0.1, numberOfLoops: 0)
    MusicTrackSetProperty(sequence.tracks[0], kSequenceTrackProperty_LoopInfo, &loop, 16)
    addNote(sequence.tracks[1], 2, at: 0)
    var offset = 0.25
    MusicTrackSetProperty(sequence.tracks[1], kSequenceTrackProperty_OffsetTime, &offset, 8)
    addNote(sequence.tracks[2], 127, at: 0.58)
    #expect(await TestPlayer(sequence).keys() == [1, 1, 1, 2, 1, 1, 1])
  }

  @Test func `Notes are released, SysEx is sent unchanged, metas and user events are not`() async {
    let sequence = TestSequence(tracks: 1)
    let track = sequence.tracks[0]
    addMeta(track, 3, [65], at: 0)
    addBytes(track, [9], at: 0, user: true)
    addBytes(track, [0xF0, 1, 2, 0xF7], at: 0.05)
    addNote(sequence.tempoTrack, 9, at: 0)
    var note = MIDINoteMessage(
      channel: 3, note: 60, velocity: 7, releaseVelocity: 33, duration: 0.1)
    MusicTrackNewMIDINoteEvent(track, 0.1, &note)
    addNote(track, 127, at: 0.4)
    let player = TestPlayer(sequence)
    _ = await player.keys()
    #expect(
      player.studio.arrived.bytes.prefix(4)
        == [[0xF0, 1, 2, 0xF7], [0x93, 60, 7], [0x83, 60, 33], [0x90, 127, 100]])
  }

  @Test func `A player can be moved to any time, also before the start and after the end`() {
    let sequence = sequence(tracks: 1)
    let player = TestPlayer(sequence)
    for beat in [-4, 0, 1_000_000, 0.25] {
      #expect(MusicPlayerSetTime(player.handle, beat) == 0)
      var time = 0.0
      MusicPlayerGetTime(player.handle, &time)
      #expect(time == beat)
    }
  }

  @Test func `A callback that was removed is not called`() async {
    let sequence = sequence(tracks: 1)
    addBytes(sequence.tracks[0], [1], at: 0, user: true)
    #expect(
      MusicSequenceSetUserCallback(sequence.handle, { _, _, _, _, _, _, _ in exit(70) }, nil) == 0)
    #expect(MusicSequenceSetUserCallback(sequence.handle, nil, nil) == 0)
    #expect(await TestPlayer(sequence).keys() == [1])
  }
}
