// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Anchors, play rates, song positions, clocks and time scales.
@Suite struct RelationTests {
  @Test func `samples and host times of an anchor are inverse`() throws {
    let anchor = try SampleAnchor(
      host: HostTime(nanoseconds: 1_700_000_000_000_000_000), sample: SampleTime(frames: -480),
      rate: #require(SampleRate(hertz: 96_000)), rateScalar: Ratio(999_983, over: 1_000_000))
    let line = try anchor.timeline()
    for frame in stride(from: Int64(-1_000_000), to: 9_000_000_000, by: 1_234_567_891) {
      let sample = SampleTime(frames: frame)
      let host = try anchor.hostTime(at: sample, rounding: .ceil).value
      #expect(try anchor.sampleTime(at: host, rounding: .floor).value == sample)
      #expect(line.timeRoundedUp(atCount: frame) == host)
      #expect(try line.time(atCount: frame, rounding: .ceil).value == host)
      #expect(try line.count(at: host, rounding: .floor).value == frame)
      #expect(line.firstCount(atOrAfter: host) == frame)
    }
  }

  @Test func `a scalar, slope or play rate at or below zero is refused`() throws {
    let rate = try #require(SampleRate(hertz: 48_000))
    for ratio: Ratio in [0, -1] {
      #expect(throws: TimeError.self) {
        try SampleAnchor(
          host: .zero, sample: SampleTime(frames: 0), rate: rate, rateScalar: ratio)
      }
      #expect(throws: TimeError.self) {
        try Timeline<MediaTime, HostTime>(media: .zero, at: .zero, playRate: ratio)
      }
      #expect(throws: TimeError.self) {
        try Timeline<Tick, HostTime>(countOrigin: 0, origin: .zero, nanosecondsPerCount: ratio)
      }
    }
  }

  @Test func `at twice the speed media time passes twice as fast`() throws {
    let line = try Timeline<MediaTime, HostTime>(
      media: MediaTime(nanoseconds: 500), at: HostTime(nanoseconds: 9000), playRate: 2)
    #expect(line.timeRoundedUp(atCount: 1500).nanoseconds == 9500)
    #expect(try line.count(at: HostTime(nanoseconds: 8750), rounding: .exact).value == 0)
  }

  @Test func `a line is limited to the range of host time and does not trap`() throws {
    let line = try Timeline<Tick, HostTime>(
      countOrigin: -5, origin: HostTime(nanoseconds: .max),
      nanosecondsPerCount: Ratio(.max, over: 2))
    #expect(line.timeRoundedUp(atCount: .max).nanoseconds == .max)
    #expect(line.timeRoundedUp(atCount: .min).nanoseconds == .min)
    #expect(throws: TimeError.self) { try line.time(atCount: .max, rounding: .floor) }
    let rate = try #require(SampleRate(hertz: 1))
    #expect(rate.timeRoundedUp(of: SampleTime(frames: .max)).nanoseconds == .max)
    #expect(throws: TimeError.self) {
      try rate.mediaTime(of: SampleTime(frames: .max), rounding: .floor)
    }
  }

  @Test func `song positions count sixteenths and clocks`() throws {
    let position = try #require(SongPosition(midiBeats: 16383))
    #expect(position.lowByte == 0x7F && position.highByte == 0x7F)
    #expect(SongPosition(lowByte: 0x7F, highByte: 0x7F) == position)
    #expect(position.midiClock.count == 98_298)
    #expect(try SongPosition.at(quarters: position.quarters, rounding: .exact).value == position)
    #expect(throws: TimeError.self) { try SongPosition.at(quarters: 4096, rounding: .floor) }
    #expect(throws: TimeError.self) { try SongPosition.at(quarters: -1, rounding: .floor) }
    #expect(SongPosition(midiBeats: -1) == nil && SongPosition(midiBeats: 16384) == nil)
  }

  @Test func `a clock is on a tick or between two`() throws {
    let coarse = try #require(PPQN(100))
    let tick = try MIDIClock(count: 1).tick(ppqn: coarse, rounding: .floor)
    #expect(tick.value == 4 && tick.residue == Ratio(1, over: 6))
    #expect(try MIDIClock.at(4, ppqn: coarse, rounding: .nearest).value.count == 1)
    let fine = try #require(PPQN(480))
    #expect(try Tick(100).rescaled(from: coarse, to: fine, rounding: .exact).value == 480)
  }

  @Test func `a time below zero never becomes zero by QuickTime's method`() throws {
    let time = try #require(ScaledTime(value: -1, timescale: 5))
    let answer = try time.converted(toTimescale: 2, method: .quickTime)
    #expect(answer.value.value == -1)
    #expect(answer.residue == Ratio(3, over: 5))
    #expect(throws: TimeError.self) { try time.converted(toTimescale: 0, method: .quickTime) }
  }

  @Test func `tempi that do not fit in a file are refused`() {
    #expect(throws: TimeError.outside24BitField("1/4 bpm")) {
      try SetTempo.beatsPerMinute(Ratio(1, over: 4), rounding: .nearest)
    }
    for tempo: Ratio in [0, -120] {
      #expect(throws: TimeError.self) { try Tempo.beatsPerMinute(tempo, rounding: .nearest) }
      #expect(throws: TimeError.self) { try SetTempo.beatsPerMinute(tempo, rounding: .nearest) }
    }
    #expect(throws: TimeError.self) { try Tempo.beatsPerMinute(1, rounding: .nearest) }
    #expect(Tempo(microsecondsPerQuarter: 0) == nil)
  }
}
