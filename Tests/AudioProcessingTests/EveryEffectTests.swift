// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MusicalTime
import TestSupport
import Testing

/// Guarantees of every effect in the catalogue.
@Suite struct EveryEffectTests {
  static let names = EffectCatalogue.standard.entries.map(\.name)

  private func make(_ name: String) throws -> any ParametricUnit {
    let text = name == "convolution" ? "convolution response=x" : name
    return try EffectCatalogue.standard.unit(
      text, rate: Rate.studio,
      response: { _, _ in
        var random = SplitMix(seed: 1)
        return [(0..<12_000).map { Float(Int(random.next() % 200) - 100) / Float(100 + $0) }]
      })
  }

  @Test(
    .enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"),
    arguments: names)
  func `rendering while every parameter moves allocates and locks nothing`(name: String) throws {
    let unit = try make(name)
    let listener = try PlanListener(SignalUnit.tone(300), through: unit)
    listener.render(quanta: 1)
    let set = unit.parameters
    for step in 0..<20 {
      for (index, parameter) in set.parameters.enumerated() {
        let value = step % 2 == 0 ? parameter.range.upperBound : parameter.range.lowerBound
        let frame = SampleTime(frames: Int64(64 + step * 300 + index * 7))
        #expect(set.schedule(index, to: value, at: frame, over: step * 10))
      }
    }
    callocationcounter_begin()
    for block in 1..<200 { listener.plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0)
    #expect(listener.plan.faultySampleCount == 0)
  }

  @Test(arguments: names)
  func `invalid and huge samples do no lasting harm`(name: String) throws {
    let source = SignalUnit(.constant(.nan))
    let listener = try PlanListener(source, through: try make(name))
    for bad in [.nan, .infinity, 1e30, -.infinity, 0] as [Float] {
      source.signal = .constant(bad)
      for channel in listener.render(quanta: 20) { #expect(channel.allSatisfy { $0.isFinite }) }
    }
    // A gain that has fallen to 10⁻³⁰ needs time to rise again, and a room needs time to decay.
    listener.render(quanta: 100)
    source.signal = .constant(0.5)
    for channel in listener.render(quanta: 50) { #expect(channel.allSatisfy { $0.isFinite }) }
  }

  /// Effects whose sound itself has corners.
  static let rough: Set = ["overdrive", "distortion", "lo-fi"]

  @Test(arguments: names.filter { !rough.contains($0) })
  func `setting a parameter does not click`(name: String) throws {
    let count = try make(name).parameters.parameters.count
    for index in 0..<count {
      let unit = try make(name)
      let set = unit.parameters
      let parameter = set.parameters[index]
      let listener = try PlanListener(SignalUnit.tone(200, amplitude: 0.1), through: unit)
      listener.render(quanta: 150)
      for part in [0.6, 0.3] as [Float] {
        let range = parameter.range
        // Loud sound has large bends without a click.
        let top = min(range.upperBound, parameter.measure == .decibels ? 12 : .infinity)
        let value = range.lowerBound + (top - range.lowerBound) * part
        try set.set(index, to: value)
        for channel in listener.render(quanta: 60) {
          #expect(bend(channel) < 0.012, "\(parameter.name) \(value): \(bend(channel))")
        }
      }
    }
  }

  /// The greatest change of slope from one frame to the next; for a click, about its height.
  private func bend(_ samples: [Float]) -> Float {
    zip(zip(samples, samples.dropFirst()), samples.dropFirst(2)).map { pair, next in
      abs(next - 2 * pair.1 + pair.0)
    }.max() ?? 0
  }

  @Test(arguments: names)
  func `values out of range are refused or limited`(name: String) throws {
    let set = try make(name).parameters
    for (index, parameter) in set.parameters.enumerated() {
      for value in [-.infinity, .infinity, .nan, 1e9, -1e9] as [Float] {
        #expect(throws: GraphError.self) { try set.set(index, to: value) }
        #expect(set.schedule(index, to: value, at: SampleTime(frames: 0)))
        #expect(set[index] == parameter.initialValue || parameter.range.contains(set[index]))
      }
    }
  }

  @Test(arguments: names)
  func `the same sound gives the same samples`(name: String) throws {
    let renders = try (0..<2).map { _ in
      let noise = GeneratorUnit(.pinkNoise, rate: Rate.studio)
      let both = ChannelConverterUnit(from: 1, to: 2, rate: Rate.studio)
      var graph = AudioGraph()
      let source = graph.add(noise)
      let wide = graph.add(both)
      let head = graph.add(try make(name))
      try graph.connect(source, to: wide)
      try graph.connect(wide, to: head)
      try graph.setHead(head)
      return PlanListener(try graph.compile()).render(quanta: 150)
    }
    #expect(renders[0] == renders[1])
  }
}
