// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Realtime
import TestSupport
import Testing

/// The heads of a graph that do not need a device.
@Suite struct OutputTests {
  private func plan(_ signal: SignalUnit.Signal) throws -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(signal)))
    return try graph.compile()
  }

  @Test(arguments: [1, 63, 64, 100, 480])
  func `a program reads blocks of any length from the same quanta`(length: Int) throws {
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

  @Test func `samples sent to a program are limited to full scale, and never NaN`() throws {
    let output = ProgramOutput(try plan(.alternating(1.5, .nan)), rate: Rate.studio)
    var block = [Float](repeating: 9, count: 128)
    var span = block.mutableSpan
    output.read(into: &span)
    #expect(block == (0..<128).map { $0 / 2 % 2 == 0 ? 1 : 0 })
    #expect(output.clampedSampleCount == 64)
  }

  @Test func `the null output renders whole quanta, at full speed or in real time`() throws {
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

  /// On an idle machine: a period is only late if the machine was suspended.
  @Test(.enabled(if: LongTests.areWanted))
  func `with constant changes of the graph no period is late in a minute`() throws {
    let mixer = MixerUnit(stripCount: 2, rate: Rate.studio)
    var graph = AudioGraph()
    let head = graph.add(mixer)
    try graph.connect(graph.add(SignalUnit(.constant(0.5))), to: head)
    try graph.setHead(head)
    let plan = try graph.compile()
    let output = NullOutputUnit(format: AudioFormat(rate: Rate.studio), periodFrames: 256)
    let standstills = try HoldUpWatch.watch(limit: 2_500_000) { machine in
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
      return machine.count
    }
    output.stop(draining: false)
    print("\(output.latePeriodCount) late; the machine stood still \(standstills) times")
    #expect(output.latePeriodCount <= standstills)
    #expect(plan.faultySampleCount == 0)
  }

  /// The length of the next run, in seconds.
  private static let span: Int64 = 600

  /// The least time between an output's position and host time during a second; late readings do
  /// not count.
  private func distance(of output: any OutputUnit) -> Int64 {
    var least = Int64.max
    for _ in 0..<1_000 {
      LongTests.rest()
      let position = Rate.studio.timeRoundedUp(of: output.position).nanoseconds
      least = min(least, DeadlineWait.now - position)
    }
    return least
  }

  /// On the null device of ALSA and on ours; on a machine without other load.
  ///
  /// If the machine was suspended, as a virtual one on a busy host, ours may also be late, and its
  /// position is then behind by the lost frames.
  @Test(.enabled(if: LongTests.areWanted))
  func `in ten minutes of real time no period is late, nor a sample in a million`() throws {
    let null = NullOutputUnit(format: AudioFormat(rate: Rate.studio), periodFrames: 1024)
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = "null"
    wishes.periodFrames = 1024
    let device = try ALSAOutputUnit(rate: Rate.studio, wishes: wishes)
    try HoldUpWatch.watch(limit: 10_000_000) { machine in
      try null.start(try plan(.count))
      try device.start(try plan(.count))
      let before = [distance(of: null), distance(of: device)]
      DeadlineWait.sleep(until: DeadlineWait.now + Self.span * 1_000_000_000)
      let after = [distance(of: null), distance(of: device)]
      let drifts = zip(before, after).map { Double($1 - $0) / Double(Self.span) / 1e9 }
      print(
        "null devices: \(drifts.map { $0 * 1e6 }) samples in a million in \(Self.span) s,",
        "\(null.latePeriodCount) late; the machine stood still \(machine.count) times")
      #expect(null.latePeriodCount <= machine.count)
      #expect(device.xrunCount == 0)
      #expect(abs(drifts[1]) < 1e-6)
      if null.latePeriodCount == 0 {
        #expect(abs(drifts[0]) < 1e-6)
        for output in [null, device] as [any OutputUnit] {
          let clock = try #require(output.clock)
          #expect(abs(try #require(clock.drift)) < 1)
          #expect(clock.epoch == 1)
        }
      }
    }
    null.stop(draining: false)
    device.stop(draining: false)
  }
}
