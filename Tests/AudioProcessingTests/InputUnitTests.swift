// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Glibc
import MusicalTime
import Synchronization
import TestSupport
import Testing

@Suite struct InputUnitTests {
  private let rate = SampleRate(hertz: 8000)

  /// A tone, from a frame of the input.
  private func tone(_ first: Int, _ count: Int, channels: Int = 1) -> [Float] {
    (first..<first + count).flatMap { frame in
      (0..<channels).map { sine(Double(frame) * 0.3) * ($0 == 0 ? 0.5 : -0.25) }
    }
  }

  @Test func `on the same clock every frame passes bit for bit after the buffer`() throws {
    let unit = InputUnit(clock: .same, heldFrames: 512, rate: Rate.studio)
    let listener = try PlanListener(unit)
    var written = 0
    for quantum in 0..<100 {
      if quantum % 4 == 0 {
        unit.write(tone(written, 256, channels: 2).span)
        written += 256
      }
      listener.render(quanta: 1)
    }
    let first = try #require(listener.channels[0].firstIndex { $0 != 0 }) - 1
    #expect(first == 256)
    let sent = tone(0, 6400 - first, channels: 2)
    #expect(
      Array(listener.channels[0][first...])
        == stride(from: 0, to: sent.count, by: 2).map { sent[$0] })
    #expect(
      Array(listener.channels[1][first...])
        == stride(from: 1, to: sent.count, by: 2).map { sent[$0] })
    #expect(unit.missedFrameCount == 0 && unit.refusedFrameCount == 0 && unit.clockRatio == 1)
  }

  /// Two clocks that differ by some millionths, for one minute.
  @Test(arguments: [150, -300] as [Double])
  func `a card with its clock is followed, and its tone stays pure`(
    millionths: Double
  ) throws {
    let rate = try #require(rate)
    let unit = InputUnit(channelCount: 1, clock: .own, heldFrames: 600, rate: rate)
    let listener = try PlanListener(unit)
    var written = 0
    var ratios: [Double] = []
    for quantum in 0..<(60 * 125) {
      let come = Double(quantum * 64) * (1 + millionths / 1e6)
      while Double(written + 200) <= come {
        unit.write(tone(written, 200).span)
        written += 200
      }
      listener.render(quanta: 1)
      if quantum >= 30 * 125 { ratios.append(unit.clockRatio) }
    }
    #expect(unit.missedFrameCount == 0 && unit.refusedFrameCount == 0)
    // Writes of 200 frames beat with quanta of 64, so the ratio varies by some millionths.
    let ratio = ratios.reduce(0, +) / Double(ratios.count)
    #expect(abs((ratio - 1) * 1e6 - millionths) < 10, "\(ratio)")
    #expect(ratios.allSatisfy { abs(($0 - 1) * 1e6 - millionths) < 50 })
    // The tone's pitch differs by the same ratio, and the spectrum next to it is empty.
    let hertz = 0.3 / (2 * Double.pi) * 8000 * (1 + millionths / 1e6)
    let heard = Array(listener.channels[0].suffix(65_536))
    #expect(abs(Tone(heard.suffix(8000), hertz: hertz, rate: 8000).amplitude - 0.5) < 0.005)
    let spectrum = Spectrum(heard, hertz: 8000)
    let rest = max(spectrum.rms(in: 0..<hertz - 30), spectrum.rms(in: hertz + 30..<4000))
    #expect(decibels(rest / spectrum.rms(in: hertz - 30..<hertz + 30)) < -70)
  }

  @Test(arguments: InputUnit.Clock.allCases)
  func `without frames it is silent, counts them and buffers again`(clock: InputUnit.Clock) throws {
    let unit = InputUnit(channelCount: 1, clock: clock, heldFrames: 256, rate: Rate.studio)
    let listener = try PlanListener(unit)
    #expect(listener.render(quanta: 10)[0].allSatisfy { $0 == 0 })
    #expect(unit.missedFrameCount == 0)
    unit.write(tone(1, 256).span)
    let heard = listener.render(quanta: 10)[0]
    #expect(heard.contains { $0 != 0 } && heard.suffix(256).allSatisfy { $0 == 0 })
    #expect(unit.missedFrameCount >= 384)
    unit.write(tone(1, 255).span)
    #expect(listener.render(quanta: 4)[0].allSatisfy { $0 == 0 })
    unit.write(tone(256, 1).span)
    #expect(listener.render(quanta: 2)[0].contains { $0 != 0 })
  }

  @Test func `frames without room are counted`() throws {
    let unit = InputUnit(channelCount: 2, heldFrames: 64, rate: Rate.studio)
    unit.write([Float](repeating: 0, count: 2 * 300).span)
    #expect(unit.refusedFrameCount == 300 - 256)
  }

  @Test(
    .enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"),
    arguments: InputUnit.Clock.allCases)
  func `playing an input allocates and locks nothing`(clock: InputUnit.Clock) throws {
    let unit = InputUnit(channelCount: 2, clock: clock, heldFrames: 4096, rate: Rate.studio)
    let listener = try PlanListener(unit)
    unit.write([Float](repeating: 0.1, count: 2 * 8192).span)
    listener.plan.render(at: 0)
    callocationcounter_begin()
    for block in 1..<200 { listener.plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0)
  }

  /// An input that returns a number of frames, then fails.
  private final class FakeInput: SoundInput, Sendable {
    struct Gone: Error {}
    let rate = SampleRate.hertz48000
    let channelCount = 1
    let periodFrames = 100
    private let periods = Atomic<Int>(0)

    func read() throws -> [Float] {
      let period = periods.add(1, ordering: .relaxed).oldValue
      guard period < 10 else { throw Gone() }
      return (1...100).map { Float(period * 100 + $0) / 1024 }
    }
  }

  /// An input whose device is lost on command.
  private final class LostInput: SoundInput, Sendable {
    let rate = SampleRate.hertz48000
    let channelCount = 1
    let periodFrames = 100
    let isLost = Atomic(false)
    var isAway: Bool { isLost.load(ordering: .acquiring) }

    func read() throws -> [Float] {
      usleep(1000)
      return []
    }
  }

  @Test func `a reader reports the loss of its input's device`() async throws {
    let input = LostInput()
    let reader = try InputReader(input, clock: .same)
    #expect(!reader.isAway)
    input.isLost.store(true, ordering: .releasing)
    #expect(await wait { reader.isAway })
    input.isLost.store(false, ordering: .releasing)
    #expect(await wait { !reader.isAway })
    #expect(reader.failure == nil)
  }

  @Test func `a reader writes an input's frames to its unit, and keeps the error`() throws {
    let reader = try InputReader(FakeInput(), clock: .same)
    while reader.failure == nil { usleep(1000) }
    #expect(reader.failure is FakeInput.Gone)
    let heard = try PlanListener(reader.unit).render(quanta: 15)[0]
    #expect(heard == (1...960).map { Float($0) / 1024 })
  }
}
