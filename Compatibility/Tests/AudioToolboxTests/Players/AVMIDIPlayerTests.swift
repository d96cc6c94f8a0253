// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Synchronization
import TestSupport
import Testing

/// Players of MIDI files, as programs for Apple's systems use them.
@Suite struct AVMIDIPlayerTests {
  private static let bank = URL(fileURLWithPath: SongGraph.font)

  /// A MIDI file with one note of a number of beats, at 120 BPM.
  private static func song(beats: Double) -> Data {
    let sequencer = AVAudioSequencer()
    sequencer.createAndAppendTrack().addEvent(
      AVMIDINoteEvent(channel: 0, key: 60, velocity: 64, duration: beats), at: 0)
    return sequencer.data(withSMPTEResolution: 480, error: nil)
  }

  @Test func `A song is played to its end, and then from the beginning`() async throws {
    let player = try AVMIDIPlayer(data: Self.song(beats: 0.5), soundBankURL: Self.bank)
    #expect(abs(player.duration - 0.25) < 0.01 && !player.isPlaying && player.rate == 1)
    player.prepareToPlay()
    for _ in 1...2 {
      let ends = Mutex(0)
      player.play { ends.withLock { $0 += 1 } }
      #expect(player.isPlaying)
      #expect(await PlayedFiles.wait { ends.withLock { $0 } == 1 })
      #expect(!player.isPlaying && player.currentPosition == 0)
    }
    await player.play()
    #expect(!player.isPlaying)
  }

  @Test func `A stop keeps the position and calls the block`() async throws {
    let folder = try ScratchFolder()
    let url = URL(fileURLWithPath: folder.path("song.mid"))
    try Self.song(beats: 100).write(to: url)
    let player = try AVMIDIPlayer(contentsOf: url, soundBankURL: Self.bank)
    player.currentPosition = 5
    #expect(player.currentPosition == 5)
    player.rate = 4
    #expect(player.rate == 4)
    for rate in [0, -1, .nan, 99] as [Float] { player.rate = rate }
    #expect(player.rate == 4)
    let ends = Mutex(0)
    player.play { ends.withLock { $0 += 1 } }
    #expect(await PlayedFiles.wait { player.currentPosition > 6 })
    player.stop()
    #expect(!player.isPlaying && player.currentPosition > 6)
    #expect(await PlayedFiles.wait { ends.withLock { $0 } == 1 })
    player.stop()
    player.play(nil)
    player.play(nil)
    player.stop()
    #expect(ends.withLock { $0 } == 1)
  }

  @Test func `Missing and other files are refused`() throws {
    let song = Self.song(beats: 1)
    let nowhere = URL(fileURLWithPath: "/no/such/file")
    #expect(throws: NSError.self) {
      try AVMIDIPlayer(contentsOf: nowhere, soundBankURL: Self.bank)
    }
    #expect(throws: NSError.self) { try AVMIDIPlayer(data: Data(), soundBankURL: nil) }
    #expect(throws: NSError.self) { try AVMIDIPlayer(data: song, soundBankURL: nowhere) }
  }
}
