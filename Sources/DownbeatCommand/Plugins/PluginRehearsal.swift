// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import LV2Units
internal import MIDIMessages
internal import MusicalTime

/// A plug-in that renders 2 s twice, and what is wrong with that.
struct PluginRehearsal {
  private static let rate = SampleRate.hertz48000
  private static let seconds: Int64 = 2
  private static let quantum: Double = 64

  /// What came of it, a line each, as `PluginVerdict` reads them.
  let lines: [String]

  /// Has a plug-in render.
  ///
  /// - Throws: `LV2Error` where it cannot be used; `GraphError` where it does not fit.
  init(_ uri: String, in world: LV2World) throws {
    let first = try Self.take(uri, world)
    let second = try Self.take(uri, world)
    var faults: [String] = []
    if first.faultyCount > 0 {
      faults.append("gives \(first.faultyCount) samples that are no number")
    }
    if first.samples != second.samples { faults.append("gives another sound the second time") }
    if first.refusedWork > 0 { faults.append("asks for more work than there is room for") }
    let runs = Double(Self.seconds * Int64(Self.rate.hertz)) / Self.quantum
    let load = first.nanoseconds / Double(Self.seconds) / 1e9
    // The second time everything is warm: what then takes as long as it sounds does so again.
    let period = Self.quantum / Double(Self.rate.hertz) * 1e9
    let longest = min(first.longest, second.longest)
    if load >= 1 {
      faults.append("takes longer than it sounds")
    } else if longest > period {
      faults.append("takes longer for a run than it sounds")
    }
    lines =
      faults.map { "fault \($0)" } + ["load \(load)", "longest \(longest / 1000)", "runs \(runs)"]
  }

  /// What one rendering gave.
  private struct Take {
    var samples: [UInt32] = []
    var faultyCount = 0
    var refusedWork = 0
    /// The processor's time, of all and of the longest run.
    var nanoseconds = 0.0
    var longest = 0.0
  }

  private static func take(_ uri: String, _ world: LV2World) throws -> Take {
    let unit = try LV2Unit(
      world.plugin(named: uri), in: world,
      configuration: LV2Configuration(rate: rate, buses: .stereo))
    var graph = AudioGraph()
    let node = graph.add(unit)
    if !unit.inputChannelCounts.isEmpty {
      try graph.connect(graph.add(KernelUnit(Noise(), name: "noise", rate: rate)), to: node)
    }
    try graph.setHead(node)
    let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate, clamps: false)
    var take = Take()
    var quantum = 0
    var last = processorTime()
    try renderer.render(
      upTo: SampleTime(frames: seconds * Int64(rate.hertz)), ringsOut: false
    ) { window in
      let now = processorTime()
      if quantum > 0 {
        take.nanoseconds += now - last
        take.longest = max(take.longest, now - last)
      }
      try play(quantum, at: window.lowerBound, on: unit)
      quantum += 1
      last = processorTime()
      return true
    } take: { samples in
      for index in samples.indices { take.samples.append(samples[index].bitPattern) }
      last = processorTime()
    }
    take.faultyCount = renderer.faultySampleCount
    take.refusedWork = unit.refusedWorkCount
    return take
  }

  /// A chord of three every half second, held for a quarter.
  private static func play(_ quantum: Int, at time: ReferenceTime, on unit: LV2Unit) throws {
    guard unit.plugin.isInstrument, quantum % 188 == 0 else { return }
    var events = EventBuffer()
    for key in [48, 60, 67] as [UInt8] {
      let status: UInt8 = quantum % 376 == 0 ? 0x90 : 0x80
      events.append(
        TimedEvent(
          time: time, payload: .message(Message(status: status, data1: key, data2: 100))))
    }
    _ = unit.send(events.events.span, payloads: events.payloads.span)
  }

  private static func processorTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// White noise at −12 dB, the same every time.
  private struct Noise: SoundKernel {
    private var state: UInt32 = 1

    mutating func render(_ block: SoundBlock) {
      var left = block.output(0)
      var right = block.output(1)
      for frame in 0..<block.frameCount {
        left[frame] = next()
        right[frame] = next()
      }
    }

    private mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / Float(1 << 23) - 1) / 4
    }
  }
}
