// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Foundation
import TestSupport
import Testing

/// The state that a player restores when it is moved, in a graph and at an endpoint.
@Suite struct PlayerStateTests {
  /// Kinds of state, each with the messages that change it.
  static let kinds: [[[UInt8]]] = [
    [[0xF0, 0x7F, 0x7F, 4, 1, 0, 32, 0xF7]], [[0xF0, 0x7F, 0x7F, 4, 4, 0, 66, 0xF7]],
    [[0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 5, 0x45, 0x76, 0xF7]],
    [[0xF0, 0x43, 0x10, 0x4C, 0, 0, 4, 20, 0xF7]],
    [[0xB0, 7, 40], [0xB0, 10, 0]], [[0xE0, 0, 100]],
    [[0xB0, 99, 120], [0xB0, 98, 51], [0xB0, 38, 2], [0xB0, 6, 64]],
  ]

  /// Fills a track with a note, changes at beat 6, and a note after them.
  private func fill(_ track: MusicTrack?, _ changes: [[UInt8]]) {
    addNote(track, 69, at: 0)
    for bytes in changes { add(bytes, to: track, at: 6) }
    addNote(track, 69, at: 7)
  }

  private func add(_ bytes: [UInt8], to track: MusicTrack?, at beat: MusicTimeStamp) {
    if bytes[0] == 0xF0 {
      addBytes(track, bytes, at: beat)
      return
    }
    var message = MIDIChannelMessage(
      status: bytes[0], data1: bytes[1], data2: bytes[2], reserved: 0)
    MusicTrackNewMIDIChannelEvent(track, beat, &message)
  }

  @Test(arguments: kinds.indices)
  func `a graph sounds as at the beginning when its player is moved back`(kind: Int) throws {
    let (graph, sequence) = (SongGraph(rate: 48_000), TestSequence())
    // Without reverb, whose slow modulation would differ in the second pass.
    var hasReverb: UInt32 = 0
    AudioUnitSetProperty(
      graph.unit(graph.synth), kMusicDeviceProperty_UsesInternalReverb, kAudioUnitScope_Global, 0,
      &hasReverb, 4)
    var player: MusicPlayer?
    NewMusicPlayer(&player)
    defer { DisposeMusicPlayer(player) }
    MusicSequenceSetAUGraph(sequence.handle, graph.graph)
    fill(sequence.addTrack(), Self.kinds[kind])
    MusicPlayerSetSequence(player, sequence.handle)
    MusicPlayerStart(player)
    let first = try #require(graph.render(24_000, slice: 480))
    // Renders past the changes, until all sound has faded out.
    _ = graph.render(12 * 48_000, slice: 1_000)
    MusicPlayerSetTime(player, 0)
    let second = try #require(graph.render(24_000, slice: 480))
    #expect(first.contains { abs($0) > 0.001 })
    // A command takes effect at a slice, so the sound may be a few milliseconds later.
    #expect(abs(power(first) - power(second)) < 0.03 * power(first), "\(Self.kinds[kind])")
    #expect(abs(crossings(first) - crossings(second)) <= 2, "\(Self.kinds[kind])")
  }

  private func power(_ samples: [Float]) -> Float {
    samples.reduce(0) { $0 + $1 * $1 }
  }

  /// The number of rising zero crossings of the left channel in 20,000 frames: the pitch.
  private func crossings(_ samples: [Float]) -> Int {
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let sound = left.drop { abs($0) < 0.001 }.prefix(20_000)
    return zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
  }
}
