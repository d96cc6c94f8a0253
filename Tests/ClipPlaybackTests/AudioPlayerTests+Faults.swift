// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import ClipPlayback
import Glibc
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// A player's behaviour for damaged files, invalid samples and slow disks.
extension AudioPlayerTests {
  @Test func `a file that shrinks during playback ends early, which is reported`() throws {
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

  @Test func `a file that ends with a chunk is also reported`() throws {
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

  @Test func `an empty queue, a played one and a seek to the end finish immediately`() throws {
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

  @Test func `NaN and infinite samples become silence`() throws {
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

  @Test func `gain and pan change without a step, and are metered`() throws {
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

  @Test func `a slow disk causes silence, is counted, and loses nothing`() throws {
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

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `rendering does not allocate or lock`() throws {
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

  @Test(arguments: [0.5, 1, 2] as [Float])
  func `a sound starts at its frame at any speed`(speed: Float) throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    player.speed = speed
    player.schedule([Float](repeating: 0.5, count: 2000))
    player.schedule([Float](repeating: 0.25, count: 20_000), at: SampleTime(frames: 10_000))
    player.start()
    rig.render(200)
    let start = try #require(rig.left.lastIndex { $0 == 0 })
    #expect(abs(start + 1 - 10_000) <= 2, "\(start)")
    #expect(player.lateCount == 0)
  }

  @Test func `a seek within a sound does not count it as late`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    player.schedule([Float](repeating: 0.5, count: 200_000), at: SampleTime(frames: 100))
    player.start()
    rig.render(20)
    player.locate(to: SampleTime(frames: 50_000))
    rig.render(20)
    #expect(player.lateCount == 0 && player.position.frame.frames > 50_000)
  }

  @Test func `a seek before the part that is played begins with the part`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    try player.append(
      path: file("a.wav", 5000), range: SampleTime(frames: 1000)..<SampleTime(frames: 3000))
    player.locate(to: SampleTime(frames: 10), item: 0)
    player.start()
    rig.render(10)
    #expect(numbers(rig.left[..<640]) == Array(1001...1640))
  }

  @Test func `an end is reported after any number of orders that were not`() throws {
    let player = AudioPlayer(rate: rate)
    let rig = try Rig(player, rate: rate)
    player.schedule([Float](repeating: 0.5, count: 2 * 64 * 300))
    let ends = Mutex<[Int64]>([])
    player.start { end in ends.withLock { $0.append(end.frames) } }
    // Each quantum reports an order: the ring has room for 256.
    for _ in 0..<320 {
      player.gain = 1
      rig.render(1)
    }
    #expect(!player.isPlaying)
    player.deliver(heardThrough: SampleTime(frames: 0))
    rig.render(1)
    player.deliver(heardThrough: SampleTime(frames: 64 * 400))
    #expect(ends.withLock { $0 } == [64 * 300])
  }
}
