// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MusicalTime
import TestSupport
import Testing

/// The heads of a graph that need no device.
@Suite struct OutputTests {
  private func plan(_ signal: SignalUnit.Signal) throws -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(signal)))
    return try graph.compile()
  }

  @Test(arguments: [1, 63, 64, 100, 480])
  func `a program reads blocks of any length out of the same quanta`(length: Int) throws {
    let output = ProgramOutput(try plan(.count), rate: Rate.studio)
    var samples: [Float] = []
    while samples.count < 2000 {
      var block = [Float](repeating: .nan, count: 2 * length)
      var span = block.mutableSpan
      output.read(into: &span)
      samples += block
    }
    for frame in 0..<1000 {
      #expect(samples[2 * frame] == Float(frame) / 1_000_000)
      #expect(samples[2 * frame + 1] == -Float(frame) / 1_000_000)
    }
    #expect(output.position.frames >= 1000)
  }

  @Test func `a program gets nothing above full scale, nor what is no number`() throws {
    let output = ProgramOutput(try plan(.alternating(1.5, .nan)), rate: Rate.studio)
    var block = [Float](repeating: 9, count: 128)
    var span = block.mutableSpan
    output.read(into: &span)
    #expect(block == (0..<128).map { $0 / 2 % 2 == 0 ? 1 : 0 })
    #expect(output.clampedSampleCount == 64)
  }

  @Test func `the null output renders whole quanta, as fast as it goes or on time`() throws {
    for isPaced in [false, true] {
      let output = NullOutputUnit(
        format: AudioFormat(rate: Rate.studio), periodFrames: 100, isPaced: isPaced)
      #expect(output.periodFrames == 128)
      try output.start(try plan(.constant(0)))
      while output.position.frames < 1280 {}
      output.stop(draining: true)
      #expect(output.position.frames % 128 == 0)
      #expect(output.fault == nil)
    }
  }

  /// On a machine with nothing else to do: a period is late only where this one was.
  @Test(.enabled(if: LongTests.areWanted))
  func `rewired all the while, no period of a minute is late in real time`() throws {
    let mixer = MixerUnit(stripCount: 2, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(SignalUnit(.constant(0.5))), to: head)
    try graph.setHead(head)
    let plan = try graph.compile()
    let output = NullOutputUnit(format: AudioFormat(rate: Rate.studio), periodFrames: 256)
    try output.start(plan)
    for _ in 0..<10_000 {
      let position = output.position
      try plan.edit { graph throws(GraphError) in
        if let old = graph.source(of: head, input: 1)?.node {
          try graph.remove(old)
        } else {
          try graph.connect(graph.add(SignalUnit(.constant(0.25))), to: head, input: 1)
        }
      }
      while output.position == position { LongTests.rest() }
    }
    output.stop(draining: false)
    #expect(output.latePeriodCount == 0)
    #expect(plan.faultySampleCount == 0)
  }
}
