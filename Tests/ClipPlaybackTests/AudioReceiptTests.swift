// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import ClipPlayback
import MusicalTime
import Testing

/// Commands of a player, awaited until they are audible.
@Suite struct AudioReceiptTests {
  let rate: SampleRate
  let player: AudioPlayer
  let rig: AudioPlayerTests.Rig

  init() throws {
    rate = try #require(SampleRate(hertz: 48_000))
    player = AudioPlayer(rate: rate)
    rig = try AudioPlayerTests.Rig(player, rate: rate)
    player.schedule([Float](repeating: 0.5, count: 96_000))
  }

  private func frame(_ frames: Int64) -> SampleTime { SampleTime(frames: frames) }

  @Test func `a command is in effect when its first frame is audible`() async throws {
    let start = player.start()
    rig.render(1)
    #expect(!start.isInEffect)
    rig.render(9)
    player.deliver(heardThrough: frame(0))
    #expect(start.isInEffect)
    #expect(try await start.effect() == frame(0))
    let stop = player.stop()
    rig.render(1)
    player.deliver(heardThrough: frame(639))
    #expect(!stop.isInEffect)
    player.deliver(heardThrough: frame(640))
    #expect(try await stop.effect() == frame(640))
  }

  @Test func `a start at a frame is in effect there, and others do not wait for it`() async throws {
    let start = player.start(at: frame(1000))
    let locate = player.locate(to: frame(500))
    rig.render(2)
    player.deliver(heardThrough: frame(999))
    #expect(!start.isInEffect)
    #expect(try await locate.effect() == frame(0))
    async let effect = start.effect()
    await Task.yield()
    player.deliver(heardThrough: frame(1000))
    #expect(try await effect == frame(1000))
  }

  @Test func `a loop without a frame of the sound returns nil`() async throws {
    #expect(player.setLoop(frame(60_000)..<frame(70_000)) == nil)
    let loop = try #require(player.setLoop(frame(0)..<frame(100)))
    rig.render(1)
    player.deliver(heardThrough: frame(64))
    #expect(try await loop.effect() == frame(0))
  }

  @Test func `a waiting task can be cancelled, and fails when following stops`() async throws {
    let start = player.start()
    let cancelled = Task { try await start.effect() }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let waiting = Task { try await start.effect() }
    let stopper = Task { [player] in
      while !Task.isCancelled {
        player.stopFollowing()
        await Task.yield()
      }
    }
    await #expect(throws: ClipError.notRunning) { try await waiting.value }
    stopper.cancel()
  }

  @Test func `more orders than the render thread has room for wait, and none is lost`() throws {
    let receipts = (0..<100).flatMap { _ in [player.stop(), player.start()] }
    for step in 0..<1000 { player.gain = 1 - Float(step) / 1000 }
    player.gain = 0.5
    let located = player.locate(to: frame(1000))
    rig.render(1)
    player.deliver(heardThrough: frame(64))
    #expect(receipts[0].isInEffect)
    #expect(!located.isInEffect)
    rig.render(8)
    player.deliver(heardThrough: frame(9 * 64))
    #expect(receipts.allSatisfy(\.isInEffect) && located.isInEffect)
    #expect(player.isPlaying && player.position.frame.frames > 1000)
    rig.render(10)
    #expect(rig.left.suffix(64).allSatisfy { $0 == 0.25 })
  }
}
