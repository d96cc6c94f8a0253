// SPDX-License-Identifier: Apache-2.0
import ClockService
import MusicalTime
import TestSupport
import Testing

/// Commands whose effect is waited for.
@Suite struct CommandReceiptTests {
  private func clock() throws -> Transport {
    try Transport(MusicClock(tempoMap: .constant(500_000)))
  }

  @Test func `after waiting, a command has taken effect`() async throws {
    let clock = try clock()
    let started = try #require(try await clock.start(from: 480).effect())
    #expect(clock.snapshot.isRunning)
    #expect(clock.snapshot.position(at: started).tick == 480)
    try await clock.setPlayRate(1.5).effect()
    #expect(clock.snapshot.clock.playRate == 1.5 && clock.playRate == 1.5)
    try await clock.setTempo(Tempo(beatsPerMinute: 60)).effect()
    #expect(clock.snapshot.clock.tempoOverride == clock.tempo)
    let loop = LoopRange(start: 0, end: 960)
    try await clock.setLoop(loop).effect()
    #expect(clock.snapshot.clock.loop == loop && clock.loop == loop)
    let stopped = clock.stop()
    try await stopped.effect()
    #expect(stopped.isInEffect && !clock.snapshot.isRunning && clock.tempo == nil)
    try await clock.locate(to: .ticks(100.5)).effect()
    #expect(try clock.snapshot.ticks(at: .now) == 100.5)
    clock.end()
  }

  @Test func `a property that was set can be read at once`() throws {
    let clock = try clock()
    try clock.setLabels(at: .fps25, offset: nil)
    try clock.setSampleRate(.hertz44100)
    try clock.setFreewheel(.nanoseconds(5))
    #expect(clock.frameRate == .fps25 && clock.smpteOffset == nil)
    #expect(clock.sampleRate == .hertz44100 && clock.freewheel == .nanoseconds(5))
    #expect(clock.meterMap == .common && clock.tempoMap.tempo(at: 0) == .standard)
    clock.end()
  }

  @Test func `a wait for a clock that has ended throws at once`() async throws {
    let clock = try clock()
    let done = clock.stop()
    try await done.effect()
    clock.end()
    try await done.effect()
    await #expect(throws: ClockError.ended) { try await clock.stop().effect() }
  }

  @Test func `a wait is cancelled with its task`() async throws {
    let machine = try ManualClock()
    let clock = try Transport(MusicClock(tempoMap: .constant(500_000)), machine: machine)
    let waiting = Task { try await clock.start(from: 0, at: .now).effect() }
    waiting.cancel()
    // Completed or cancelled: the wait ends.
    _ = await waiting.result
    clock.end()
  }
}
