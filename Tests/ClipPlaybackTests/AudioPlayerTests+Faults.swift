// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import ClipPlayback
import Glibc
import MusicalTime
import TestSupport
import Testing

/// What a player makes of files, samples and disks that are not as they should be.
extension AudioPlayerTests {
  @Test func `a file that shrinks while it plays ends early, and says so`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    let path = try file("a.wav", 1_000_000)
    try player.append(path: path)
    player.start()
    rig.render(10)
    #expect(unsafe truncate(path, 800_000) == 0)
    rig.render(5000)
    #expect(!player.isPlaying)
    #expect(player.shortCount == 1)
    #expect(numbers(rig.left[..<199_000]) == Array(1...199_000))
  }

  @Test func `a file that ends where a piece ends is told of, too`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    let path = try file("a.wav", 1_000_000)
    try player.append(path: path)
    let header = try folder.bytes("a.wav").count - 4_000_000
    // 50 pieces of 2048 frames.
    #expect(unsafe truncate(path, header + 102_400 * 4) == 0)
    player.start()
    rig.render(1700)
    #expect(!player.isPlaying)
    #expect(player.shortCount == 1)
  }

  @Test func `an empty queue, a played one and a seek to the end are over at once`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    player.start()
    rig.render(1)
    #expect(!player.isPlaying)
    try player.append(path: file("a.wav", 100))
    player.start()
    rig.render(3)
    #expect(numbers(rig.left[64..<164]) == Array(1...100))
    player.start()
    rig.render(2)
    #expect(!player.isPlaying)
    player.locate(to: SampleTime(frames: 100), item: 0)
    player.start()
    rig.render(2)
    #expect(!player.isPlaying)
    player.locate(to: SampleTime(frames: 50), item: 0)
    player.start()
    rig.render(2)
    #expect(numbers(rig.left.suffix(64)).allSatisfy { $0 == 0 })
    #expect(player.underrunCount == 0)
  }

  @Test func `samples that are no numbers become silence`() throws {
    let writer = try SoundFileWriter(
      path: folder.path("nan.wav"), format: SoundFileFormat(.wav, .float32), channelCount: 1,
      rate: rate)
    try writer.write([Float.nan, .infinity, 0.5].span)
    try writer.finish()
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: folder.path("nan.wav"))
    player.start()
    rig.render(1)
    #expect(rig.left[..<4] == [0, 0, 0.5, 0])
  }

  @Test func `gain and pan are reached without a step, and metered`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    player.schedule([Float](repeating: 0.5, count: 200_000))
    player.start()
    rig.render(10)
    player.gain = 0.5
    player.pan = 1
    rig.render(100)
    #expect(
      zip(rig.left.dropFirst(640), rig.left.dropFirst(641)).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(rig.left.suffix(64).allSatisfy { $0 == 0 })
    #expect(player.level.left.maximum == 0.5)
    #expect(player.level.right.peak > 0.2)
  }

  @Test func `a disk that is too slow leaves silence, is counted, and loses nothing`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 200_000))
    player.start()
    rig.renderSilently(1100)
    #expect(player.underrunCount > 0)
    #expect(player.isPlaying)
    rig.render(1)
    #expect(numbers(rig.left.suffix(1)).first ?? 0 > 65_000)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer has an allocator of its own"))
  func `rendering allocates and locks nothing`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(path: file("a.wav", 60_000))
    player.speed = 1.25
    player.start()
    rig.render(2)
    player.fill()
    player.gain = 0.3
    callocationcounter_begin()
    rig.renderSilently(500)
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
  }
}
