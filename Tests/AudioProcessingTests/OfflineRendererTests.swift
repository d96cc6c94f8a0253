// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

@Suite struct OfflineRendererTests {
  private func renderer(_ signal: SignalUnit.Signal, clamps: Bool = true) throws
    -> OfflineRenderer
  {
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(signal)))
    return OfflineRenderer(
      plan: try graph.compile(), rate: try #require(SampleRate(hertz: 44_100)), clamps: clamps)
  }

  private struct Stop: Error {}

  @Test func `windows follow one another and cover every frame once`() throws {
    let renderer = try renderer(.count)
    let rate = renderer.format.rate
    var end = ReferenceTime.zero
    var starts: [Int64] = []
    try renderer.render(upTo: 10_000) { window in
      #expect(window.lowerBound == end)
      end = window.upperBound
      starts.append(rate.frame(at: window.lowerBound).frames)
      return true
    } take: { _ in
    }
    #expect(starts == (0..<157).map { Int64($0) * 64 })
  }

  @Test func `samples are interleaved, in order, and stop at the limit within a quantum`() throws {
    let renderer = try renderer(.count)
    var samples: [Float] = []
    try renderer.render(upTo: 10_001) { _ in
      true
    } take: { span in
      #expect(span.count <= 8192)
      for index in span.indices { samples.append(span[index]) }
    }
    #expect(samples.count == 20_002)
    #expect(renderer.position.frames == 10_001)
    for frame in 0..<10_001 {
      guard samples[2 * frame] == Float(frame) / 1_000_000,
        samples[2 * frame + 1] == -Float(frame) / 1_000_000
      else {
        Issue.record("frame \(frame)")
        break
      }
    }
  }

  @Test func `a closure that returns false ends the rendering before that quantum`() throws {
    let renderer = try renderer(.constant(0.5))
    var count = 0
    var rounds = 0
    try renderer.render { _ in
      rounds += 1
      return rounds <= 100
    } take: {
      count += $0.count
    }
    #expect(count == 2 * 6400)
    #expect(renderer.position.frames == 6400)
    #expect(renderer.lastPeak == 0.5)
  }

  @Test func `the frames inside a limiter are rendered, and its initial silence is not`() throws {
    let rate = try #require(SampleRate(hertz: 44_100))
    var graph = AudioGraph()
    let source = graph.add(SignalUnit(.count))
    let limiter = graph.add(LimiterUnit(rate: rate))
    try graph.connect(source, to: limiter)
    try graph.setHead(limiter)
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate)
    var left: [Float] = []
    var rounds = 0
    try renderer.render { _ in
      rounds += 1
      return rounds <= 100
    } take: { span in
      for index in stride(from: 0, to: span.count, by: 2) { left.append(span[index]) }
    }
    #expect(left == (0..<6400).map { Float($0) / 1_000_000 })
    #expect(renderer.position.frames == 6400)
  }

  @Test func `a source rendered ahead sounds as if it were in the graph`() throws {
    let source = AheadUnit(SignalUnit(.count), capacity: 16)
    var graph = AudioGraph()
    try graph.setHead(graph.add(source))
    let rate = try #require(SampleRate(hertz: 44_100))
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate)
    var quantum = 0
    var notes: [Int] = []
    var left: [Float] = []
    try renderer.render(upTo: 6400) { _ in
      // Always one batch ahead of the graph's.
      let start = renderer.rendered.frames + (quantum == 0 ? 0 : 8 * 64)
      if quantum.isMultiple(of: 8) {
        notes += source.renderAhead(startFrame: start, count: quantum == 0 ? 16 : 8) { 1 }
      }
      quantum += 1
      return true
    } take: { span in
      for index in stride(from: 0, to: span.count, by: 2) { left.append(span[index]) }
    }
    #expect(left == (0..<6400).map { Float($0) / 1_000_000 })
    #expect(notes.count == 112)
    #expect(source.bus(0, quantum: 99)[0, 5] == Float(99 * 64 + 5) / 1_000_000)
  }

  @Test func `a closure's error is rethrown`() throws {
    let renderer = try renderer(.constant(0.5))
    #expect(throws: Stop.self) {
      try renderer.render { _ in
        throw Stop()
      } take: { _ in
      }
    }
    #expect(throws: Stop.self) {
      try renderer.render { _ in
        true
      } take: { _ in
        throw Stop()
      }
    }
  }

  @Test func `the output is clamped to full scale unless clamping is off`() throws {
    var highest: Float = 0
    let take = { (span: Span<Float>) in
      for index in span.indices { highest = max(highest, span[index]) }
    }
    let clamped = try renderer(.alternating(0.5, 1.5))
    try clamped.render(upTo: 640, prepare: { _ in true }, take: take)
    #expect(highest == 1)
    #expect(clamped.clampedSampleCount == 640)
    let free = try renderer(.alternating(.nan, 1.5), clamps: false)
    try free.render(upTo: 640, prepare: { _ in true }, take: take)
    #expect(highest == 1.5)
    #expect(free.faultySampleCount == 640)
  }
}
