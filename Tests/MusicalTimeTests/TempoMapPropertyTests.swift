// SPDX-License-Identifier: Apache-2.0
import Foundation
import MusicalTime
import TestSupport
import Testing

/// The guarantees of `Rounding`, and agreement with a slow reference made of ratios.
@Suite struct TempoMapPropertyTests {
  static let isLong = DayTableTests.isLong

  /// A long map of 10,000 changes with a wide range of tempi; 24 hours at 960 PPQN.
  static func longMap(ppqn: Int = 960) throws -> TempoMap {
    let changes = try (0..<10_000).map { index in
      try TempoMapTests.change(Int64(index * 13_824), 200_000 + index * 7919 % 800_001)
    }
    return try TempoMap(division: .ppqn(#require(PPQN(ppqn))), changes: changes)
  }

  static let count = isLong ? 1_000_000 : 20_000

  /// Returns the seconds at a tick, calculated from every change with exact fractions.
  static func slowSeconds(_ map: TempoMap, _ ppqn: Int64, at tick: Int64) throws -> Ratio {
    var seconds = Ratio.zero
    let changes = map.changes
    for (index, change) in changes.enumerated() {
      let isLast = index + 1 == changes.count || changes[index + 1].tick.value > tick
      let end = isLast ? tick : changes[index + 1].tick.value
      let perTick = Ratio(Int64(change.tempo.tenNanosecondsPerQuarter), over: ppqn * 100_000_000)
      seconds = try seconds + Ratio(end - change.tick.value) * perTick
      if isLast { break }
    }
    return seconds
  }

  @Test func `ticks survive nanoseconds and back in a map of 10 000 changes`() throws {
    let map = try Self.longMap()
    var random = SplitMix(seed: 1)
    var mismatches = 0
    for _ in 0..<Self.count {
      let tick = Tick(Int64.random(in: -100_000...140_000_000, using: &random))
      let near = try map.mediaTime(at: tick, rounding: .nearest).value
      let up = try map.mediaTime(at: tick, rounding: .ceil).value
      if try map.tick(at: near, rounding: .nearest).value != tick { mismatches += 1 }
      if try map.tick(at: up, rounding: .floor).value != tick { mismatches += 1 }
    }
    #expect(mismatches == 0)
  }

  @Test func `a map agrees with a slow calculation with exact fractions`() throws {
    let changes = try (0..<60).map { index in
      try TempoMapTests.change(Int64(index * index * 37), 1 + (index * 104_729) % 1_000_003)
    }
    var random = SplitMix(seed: 2)
    for ppqn in [1, 24, 96, 480, 960, 32767] {
      let map = try TempoMap(division: .ppqn(#require(PPQN(ppqn))), changes: changes)
      var cursor = map.makeCursor()
      for _ in 0..<60 {
        let tick = Int64.random(in: -500...140_000, using: &random)
        let exact = try Self.slowSeconds(map, Int64(ppqn), at: tick)
        #expect(map.seconds(at: Tick(tick)) == exact)
        for rounding in [Rounding.floor, .ceil, .nearest] {
          let nanoseconds = try (exact * 1_000_000_000).rounded(rounding)
          let answer = try map.mediaTime(at: Tick(tick), rounding: rounding)
          #expect(answer.map(\.nanoseconds) == nanoseconds)
          #expect(try cursor.mediaTime(at: Tick(tick), rounding: rounding) == answer)
        }
        #expect(try map.tick(atSeconds: exact, rounding: .exact).value == Tick(tick))
        #expect(try map.seconds(atQuarters: map.quarters(at: Tick(tick))) == exact)
      }
    }
  }

  @Test func `value plus residue is the exact value`() throws {
    let map = try Self.longMap()
    let rate = try #require(SampleRate(hertz: 44_100))
    var random = SplitMix(seed: 3)
    for _ in 0..<2000 {
      let tick = Tick(Int64.random(in: 0...140_000_000, using: &random))
      let exact = map.seconds(at: tick)
      for rounding in [Rounding.floor, .ceil, .nearest] {
        let sample = try map.sampleTime(at: tick, rate: rate, rounding: rounding)
        #expect(try Ratio(sample.value.frames) + sample.residue == exact * 44_100)
        #expect(sample.isExact == (sample.residue == 0))
      }
      let time = MediaTime(nanoseconds: Int64.random(in: 0...86_400_000_000_000, using: &random))
      let back = try map.tick(at: time, rounding: .nearest)
      let position = try map.ticks(atSeconds: Ratio(time.nanoseconds, over: 1_000_000_000))
      #expect(try Ratio(back.value.value) + back.residue == position)
    }
  }

  @Test func `a cursor agrees with its map, in any order and in both directions`() throws {
    let map = try Self.longMap()
    var random = SplitMix(seed: 4)
    var cursor = map.makeCursor()
    var back = map.makeCursor()
    var tick: Int64 = -5000
    for index in 0..<5000 {
      let isJump = index % 97 == 0
      tick = isJump ? Int64.random(in: -9...140_000_000, using: &random) : tick + 9001
      let time = try map.mediaTime(at: Tick(tick), rounding: .ceil)
      #expect(try cursor.mediaTime(at: Tick(tick), rounding: .ceil) == time)
      #expect(try back.tick(at: time.value, rounding: .floor).value == Tick(tick))
    }
  }

  @Test func `samples survive nanoseconds, and ticks survive samples if they are longer`() throws {
    var random = SplitMix(seed: 5)
    let map = try TempoMap(
      division: .ppqn(#require(PPQN(960))),
      changes: [
        TempoMapTests.change(0, 20_000)
      ])
    for hertz in [8000, 44_100, 48_000, 96_000, 192_000, 768_000] {
      let rate = try #require(SampleRate(hertz: hertz))
      for _ in 0..<500 {
        let frame = SampleTime(frames: Int64.random(in: -9_999...66_355_200_000, using: &random))
        let time = try rate.mediaTime(of: frame, rounding: .nearest).value
        #expect(try rate.sampleTime(at: time, rounding: .nearest).value == frame)
      }
    }
    // 3000 beats per minute: at 960 PPQN a tick is one frame of 48 kHz, and nearest is the limit.
    let rate = try #require(SampleRate(hertz: 48_000))
    for _ in 0..<500 {
      let tick = Tick(Int64.random(in: 0...99_999_999, using: &random))
      let sample = try map.sampleTime(at: tick, rate: rate, rounding: .ceil).value
      #expect(try map.tick(at: sample, rate: rate, rounding: .floor).value == tick)
    }
  }

  @Test(arguments: FrameRate.allCases)
  func `a frame contains its first sample but not the one before`(
    _ rate: FrameRate
  ) throws {
    var random = SplitMix(seed: 6)
    for hertz in [8000, 44_100, 48_000, 96_000, 192_000] {
      let sampleRate = try #require(SampleRate(hertz: hertz))
      for _ in 0..<200 {
        let frame = Int64.random(in: 1..<rate.framesPerDay, using: &random)
        let first = try Timecode(frame: frame, rate: rate)
          .sampleTime(rate: sampleRate, rounding: .ceil).value
        func label(_ sample: Int64) throws -> Int64 {
          try Timecode.at(
            SampleTime(frames: sample), sampleRate: sampleRate, rate: rate, rounding: .floor
          ).value.count
        }
        #expect(try label(first.frames) == frame)
        #expect(try label(first.frames - 1) == frame - 1)
      }
    }
  }
}
