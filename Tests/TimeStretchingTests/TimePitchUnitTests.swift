// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Glibc
import MusicalTime
import Synchronization
import TestSupport
import Testing
import TimeStretching

private let isRubberBandInstalled: Bool = {
  var graph = AudioGraph()
  do {
    try graph.setHead(graph.add(SignalUnit.tone(440)))
    _ = try TimePitchUnit(graph, rate: Rate.studio)
    return true
  } catch {
    return false
  }
}()

/// Speed and pitch independent of each other, measured on tones and on an edge; only if Rubber Band
/// is installed.
@Suite(.enabled(if: isRubberBandInstalled, "Rubber Band 3 is not installed"))
struct TimePitchUnitTests {
  private static func unit(playing source: any ProcessingUnit) throws -> TimePitchUnit {
    try TimePitchUnit(playing: source, rate: Rate.studio)
  }

  @Test(
    arguments: [(1, 0), (0.5, 0), (2, 0), (1, 1200), (1, -700), (0.8, 300)] as [(Float, Float)])
  func `the pitch is as requested, whatever the speed`(
    change: (speed: Float, cents: Float)
  ) throws {
    let unit = try Self.unit(playing: SignalUnit.tone(440))
    unit[.speed] = change.speed
    unit[.pitch] = change.cents
    let listener = try PlanListener(unit)
    listener.render(quanta: 400)
    let start = unit.innerPosition.frames
    let heard = listener.render(quanta: 1500)[0]
    // The window read ahead varies by a hop.
    let inside = Double(unit.innerPosition.frames - start)
    #expect(abs(inside / (1500 * 64) / Double(change.speed) - 1) < 0.06)
    let hertz = 440 * exp2(Double(change.cents) / 1200)
    let spectrum = Spectrum(heard.suffix(65_536).map(\.self), hertz: 48_000)
    let tone = spectrum.rms(in: hertz * 0.99..<hertz * 1.01)
    let rest = max(spectrum.rms(in: 20..<hertz * 0.97), spectrum.rms(in: hertz * 1.03..<20_000))
    #expect(abs(decibels(tone / 0.3536)) < 1.5, "\(decibels(tone / 0.3536)) dB")
    #expect(decibels(rest / 0.3536) < -35, "\(decibels(rest / 0.3536)) dB")
  }

  @Test func `a queue plays at twice the speed at its pitch, and counts its frames`() throws {
    let queue = SoundQueue(rate: Rate.studio)
    let unit = try Self.unit(playing: queue)
    unit[.speed] = 2
    let tone = (0..<96_000).flatMap { frame in
      [Float](repeating: 0.5 * sine(Double(frame) * 2 * .pi * 440 / 48_000), count: 2)
    }
    try queue.enqueue(SoundBuffer(interleaved: tone))
    try queue.enqueue(SoundBuffer(interleaved: [0.25, 0.25]), at: .frame(100_000))
    try queue.start()
    let listener = try PlanListener(unit)
    let heard = listener.render(quanta: 800)[0]
    let spectrum = Spectrum(Array(heard[16_384..<32_768]), hertz: 48_000)
    let tone440 = spectrum.rms(in: 435..<445)
    #expect(abs(decibels(tone440 / 0.3536)) < 1.5, "\(decibels(tone440 / 0.3536)) dB")
    #expect(decibels(spectrum.rms(in: 600..<20_000) / 0.3536) < -35)
    // Two seconds last one, and a little longer for the stretcher's buffer.
    let end = try #require(heard.lastIndex { abs($0) > 0.05 })
    #expect(abs(end - 48_000) < 4800, "\(end)")
    let told = Mutex<[SoundQueue.Event]>([])
    queue.observe { event in told.withLock { $0.append(event) } }
    queue.deliver()
    let begun = told.withLock { $0 }.contains(.began(number: 1, frame: 100_000, lateBy: 0))
    #expect(begun && queue.position.played.frames == 96_001)
    #expect(queue.position.discontinuities == 1)
    #expect(queue.position.output == unit.innerPosition)
  }

  @Test func `an edge is delayed by the reported latency`() throws {
    let source = SignalUnit(.constant(0))
    let unit = try Self.unit(playing: source)
    #expect(unit.latency > 0 && unit.latency < 9600)
    let listener = try PlanListener(unit)
    var heard = listener.render(quanta: 400)[0]
    let edge = Int(unit.innerPosition.frames)
    source.signal = SignalUnit.tone(1000).signal
    heard += listener.render(quanta: 400)[0]
    let first = try #require(heard.firstIndex { abs($0) > 0.25 })
    #expect(abs(first - edge - unit.latency) < 480, "\(first - edge) for \(unit.latency)")
  }

  @Test func `unsupported settings are refused in a sentence`() throws {
    var wide = AudioGraph()
    try wide.setHead(wide.add(MergerUnit(channelCounts: Array(repeating: 1, count: 33))))
    #expect(throws: TimePitchError.refused(hertz: 48_000, channelCount: 33)) {
      try TimePitchUnit(wide, rate: Rate.studio)
    }
    #expect("\(TimePitchError.libraryMissing(reason: "x"))".contains("librubberband2"))
    #expect("\(TimePitchError.refused(hertz: 1, channelCount: 2))".contains("2 channels"))
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `at a constant speed it allocates nothing`() throws {
    let unit = try Self.unit(playing: GeneratorUnit(.pinkNoise, rate: Rate.studio))
    var graph = AudioGraph()
    try graph.setHead(graph.add(unit))
    let plan = try graph.compile()
    for block in 0..<500 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
    callocationcounter_begin()
    for block in 500..<1500 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0)
    #expect(counts.locks == 0)
  }
}
