// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import MusicalTime

/// The time core on maps of 10,000 tempo changes.
let timeSuite = Suite("time") {
  let day = try LongMap(ticksPerChange: 13_824)
  let short = try LongMap(ticksPerChange: 960)
  return [
    day.randomTicks("tick to ns, random"),
    day.randomTimes("ns to tick, random"),
    short.randomTicks("tick to ns, random, 9.6 M ticks"),
    short.randomTimes("ns to tick, random, 9.6 M ticks"),
    day.ascendingTicks("tick to ns, cursor"),
    day.ascendingTimes("ns to tick, cursor"),
    try day.randomSamples("tick to 48 k sample, random"),
    try day.bars("tick to bar and beat, random"),
    try labels("sample to 29.97d label"),
    try labelText("sample to 29.97d text"),
  ]
}

/// A map of 10,000 changes, 960 PPQN, 200 000…1 000 000 µs, and places in it.
struct LongMap {
  let map: TempoMap
  let ticks: [Tick]
  let times: [MediaTime]
  static let count = 1_000_000

  init(ticksPerChange: Int64) throws {
    guard let ppqn = PPQN(960) else { throw TimeError.badDivision(960) }
    let changes = (0..<10_000).compactMap { index in
      Tempo(microsecondsPerQuarter: 200_000 + index * 7919 % 800_001).map {
        TempoChange(tick: Tick(Int64(index) * ticksPerChange), tempo: $0)
      }
    }
    let map = try TempoMap(division: .ppqn(ppqn), changes: changes)
    var state: UInt64 = 42
    ticks = (0..<Self.count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Tick(Int64((state >> 33) % UInt64(10_000 * ticksPerChange)))
    }
    times = try ticks.map { try map.mediaTime(at: $0, rounding: .nearest).value }
    self.map = map
  }

  func randomTicks(_ name: String) -> Benchmark {
    Benchmark(name, "conversions", count: Self.count) {
      var sum: Int64 = 0
      for tick in ticks {
        sum &+= try map.mediaTime(at: tick, rounding: .nearest).value.nanoseconds
      }
      return sum
    }
  }

  func randomTimes(_ name: String) -> Benchmark {
    Benchmark(name, "conversions", count: Self.count) {
      var sum: Int64 = 0
      for time in times { sum &+= try map.tick(at: time, rounding: .nearest).value.value }
      return sum
    }
  }

  func ascendingTicks(_ name: String) -> Benchmark {
    let ticks = ticks.sorted()
    return Benchmark(name, "conversions", count: Self.count) {
      var cursor = map.makeCursor()
      var sum: Int64 = 0
      for tick in ticks {
        sum &+= try cursor.mediaTime(at: tick, rounding: .nearest).value.nanoseconds
      }
      return sum
    }
  }

  func ascendingTimes(_ name: String) -> Benchmark {
    let times = times.sorted()
    return Benchmark(name, "conversions", count: Self.count) {
      var cursor = map.makeCursor()
      var sum: Int64 = 0
      for time in times { sum &+= try cursor.tick(at: time, rounding: .nearest).value.value }
      return sum
    }
  }

  func randomSamples(_ name: String) throws -> Benchmark {
    let rate = try sampleRate48k()
    return Benchmark(name, "conversions", count: Self.count) {
      var sum: Int64 = 0
      for tick in ticks {
        sum &+= try map.sampleTime(at: tick, rate: rate, rounding: .nearest).value.frames
      }
      return sum
    }
  }
}

extension LongMap {
  /// A meter map of a thousand changes.
  func bars(_ name: String) throws -> Benchmark {
    guard let ppqn = PPQN(960) else { throw TimeError.badDivision(960) }
    let changes = try (0..<1000).map { index in
      MeterChange(
        tick: Tick(Int64(index) * 138_240), ppqn: ppqn,
        signature: try TimeSignature(numerator: 2 + index % 11, denominator: 4 << (index % 3)))
    }
    let meters = try MeterMap(changes: changes)
    return Benchmark(name, "labels", count: Self.count) {
      var sum: Int64 = 0
      for tick in ticks {
        let label = try meters.barBeat(at: tick, ppqn: ppqn, divisor: 960, rounding: .floor).value
        sum &+= Int64(label.bar) &+ Int64(label.beat) &+ Int64(label.subbeat)
      }
      return sum
    }
  }
}

func sampleRate48k() throws -> SampleRate {
  guard let rate = SampleRate(hertz: 48_000) else { throw TimeError.missingContext("48 kHz") }
  return rate
}

/// Samples all over a day, a prime apart.
func labels(_ name: String) throws -> Benchmark {
  let rate = try sampleRate48k()
  return Benchmark(name, "labels", count: 2_000_000) {
    var sum: Int64 = 0
    var sample: Int64 = 0
    for _ in 0..<2_000_000 {
      let code = try Timecode.at(
        SampleTime(frames: sample), sampleRate: rate, rate: .fps2997Drop, rounding: .floor)
      let label = try code.value.label(.wrap)
      sum &+=
        Int64(label.hours) &+ Int64(label.minutes) &+ Int64(label.seconds)
        &+ Int64(label.frames)
      sample = (sample &+ 104_729_017) % 4_147_195_852
    }
    return sum
  }
}

/// The same, written as text.
func labelText(_ name: String) throws -> Benchmark {
  let rate = try sampleRate48k()
  return Benchmark(name, "labels", count: 200_000) {
    var sum: Int64 = 0
    var sample: Int64 = 0
    var text: [UInt8] = []
    text.reserveCapacity(16)
    for _ in 0..<200_000 {
      text.removeAll(keepingCapacity: true)
      let code = try Timecode.at(
        SampleTime(frames: sample), sampleRate: rate, rate: .fps2997Drop, rounding: .floor)
      FrameRate.fps2997Drop.append(try code.value.label(.wrap), to: &text)
      for byte in text { sum &+= Int64(byte) }
      sample = (sample &+ 104_729_017) % 4_147_195_852
    }
    return sum
  }
}
