// SPDX-License-Identifier: Apache-2.0
import ClockService
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Songs that follow linear timecode from a sound card.
@Suite struct LTCFollowingTests {
  private static let rates: [FrameRate] = [
    .fps23976, .fps24, .fps25, .fps2997, .fps2997Drop, .fps30,
  ]

  private func tape(_ rate: FrameRate = .fps25, first: Int64 = 10) throws -> HeardTape {
    let hour = TimecodeLabel(hours: 1, minutes: 0, seconds: 0, frames: 0)
    return HeardTape(offset: try Timecode(label: hour, rate: rate), first: first)
  }

  private func starts(_ outcome: HeardTape.Outcome) -> Int {
    outcome.told.count { if case .started = $0 { true } else { false } }
  }

  /// Returns the errors of the notes after the tenth frame, in milliseconds.
  private func errors(_ outcome: HeardTape.Outcome, after seconds: Double = 0.42) -> [Double] {
    outcome.notes.filter { $0.time >= seconds }.map { abs($0.error) * 1e3 }
  }

  @Test(arguments: rates)
  func `a song is within a millisecond of the tape after ten frames`(rate: FrameRate) throws {
    var tape = try tape(rate)
    tape.drift = 50
    tape.lateness = 300_000
    let outcome = try tape.play(4)
    let errors = errors(outcome, after: 10 / Double(rate.nominal) * 1.001)
    print("\(rate.name): most \(errors.max() ?? -1) ms, \(errors.count) notes")
    #expect((errors.max() ?? .infinity) < 1)
    #expect(errors.count >= 70 && starts(outcome) == 1, "\(outcome.told)")
    // No note is missing, and none is played twice.
    let times = outcome.notes.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.05) < 0.005 })
  }

  @Test(arguments: [0.25, 0.9, 1.1, 2, 4])
  func `it follows at a quarter to four times the speed`(speed: Double) throws {
    var tape = try tape()
    tape.isRateTold = true
    tape.place = { $0 * speed }
    let outcome = try tape.play(6)
    let errors = errors(outcome, after: 2)
    print("speed \(speed): most \(errors.max() ?? -1) ms, \(errors.count) notes")
    #expect((errors.max() ?? .infinity) < 1 && errors.count > Int(60 * speed))
  }

  @Test func `it follows a tape with wow`() throws {
    var tape = try tape()
    // ±1 % at 0.5 Hz moves the tape by 3.2 ms in both directions. A part of this is followed, and
    // the rest is smoothed.
    tape.place = { $0 + 0.01 / .pi * (1 - cos(.pi * $0)) }
    let outcome = try tape.play(8)
    let errors = errors(outcome, after: 1)
    print("wow: most \(errors.max() ?? -1) ms")
    #expect((errors.max() ?? .infinity) < 3 && starts(outcome) == 1)
  }

  @Test func `it continues through gaps, and stops after a second without timecode`() throws {
    var tape = try tape()
    tape.change = { time, sample in
      (2..<2.3).contains(time) || (4..<4.7).contains(time) || time > 6 ? 0 : sample
    }
    let outcome = try tape.play(9)
    #expect(starts(outcome) == 1 && outcome.told.contains(.freewheeling), "\(outcome.told)")
    #expect((errors(outcome).max() ?? .infinity) < 1)
    let last = try #require(outcome.notes.last?.time)
    #expect((6.9...7.3).contains(last), "\(last)")
    #expect(
      outcome.told.contains { if case .stopped(.sourceLost, _) = $0 { true } else { false } })
  }

  @Test func `polarity, level, an offset and noise of 20 dB change nothing`() throws {
    let changes: [(Double, Float) -> Float] = [
      { _, sample in -sample }, { _, sample in 0.2 + sample / 8 },
      { time, sample in
        var random = SplitMix(seed: UInt64(time * 1e6))
        let noise = (0..<12).reduce(Float(-6)) { sum, _ in
          sum + Float.random(in: 0..<1, using: &random)
        }
        return sample + noise * 0.0125
      },
    ]
    for change in changes {
      var tape = try tape()
      tape.change = change
      let errors = errors(try tape.play(3))
      #expect((errors.max() ?? .infinity) < 1 && errors.count > 45)
    }
  }

  @Test func `it follows a tape that is wound forward, but not one that plays backwards`()
    throws
  {
    var tape = try tape()
    tape.place = { $0 < 2 ? $0 : $0 + 10 }
    let wound = try tape.play(4)
    #expect(wound.told.contains { if case .jumped = $0 { true } else { false } }, "\(wound.told)")
    #expect((errors(wound, after: 2.6).max() ?? .infinity) < 1)
    var back = try self.tape(first: 500)
    back.isReversed = true
    let outcome = try back.play(3)
    #expect(outcome.notes.isEmpty && outcome.frames.count > 60 && starts(outcome) == 0)
  }

  @Test func `silence, music and noise start nothing`() throws {
    let sounds: [(Double, Float) -> Float] = [
      { _, _ in 0 }, { time, _ in Float(0.4 * sin(440 * time) + 0.3 * sin(3_000 * time)) },
      { time, _ in
        var random = SplitMix(seed: UInt64(time * 1e6))
        return Float.random(in: -1...1, using: &random)
      },
    ]
    for sound in sounds {
      var tape = try tape()
      tape.change = sound
      let outcome = try tape.play(5)
      #expect(outcome.notes.isEmpty && outcome.told.isEmpty && outcome.frames.isEmpty)
    }
  }
}
