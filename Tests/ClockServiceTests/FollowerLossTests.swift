// SPDX-License-Identifier: Apache-2.0
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

/// Lines that lose or double clocks: the count is right in the end, and a doubt is reported.
///
/// All traces are the same in every run.
@Suite struct FollowerLossTests {
  private static let clock = Message(status: 0xF8)
  private static let seeds: Range<UInt64> = 1..<26

  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  private static func started() -> MIDIClockFollower {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    return follower
  }

  /// Nearly normal noise, in seconds, and other random numbers.
  private struct Draw {
    var generator: SplitMix

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
      .random(in: range, using: &generator)
    }

    mutating func noise(_ milliseconds: Double) -> Double {
      (0..<12).reduce(0) { sum, _ in sum + uniform(-0.5...0.5) } * milliseconds * 1e-3
    }
  }

  /// The end of a run: the excess of clocks, and whether the count was shown as uncertain.
  private struct Outcome {
    var slip: Int64
    var isUncertain: Bool
  }

  /// Follows all clocks except the omitted ones, at a tempo from 100 to 140 BPM.
  private static func run(
    of count: Int, milliseconds: Double, seed: UInt64,
    lost: (Int, inout Draw) -> Bool = { _, _ in false },
    doubled: (Int, inout Draw) -> Bool = { _, _ in false }
  ) -> Outcome {
    var draw = Draw(seed: seed)
    let period = 2.5 / draw.uniform(100...140)
    var arrivals: [Double] = []
    for index in 0..<count where !lost(index, &draw) {
      let time = 0.25 + Double(index) * period + draw.noise(milliseconds)
      arrivals.append(time)
      if doubled(index, &draw) { arrivals.append(time + draw.uniform(0.3e-3...1.5e-3)) }
    }
    var follower = started()
    for arrival in arrivals.sorted() { _ = follower.take(clock, at: host(arrival)) }
    return Outcome(
      slip: follower.position.count - Int64(count - 1), isUncertain: follower.isUncertain)
  }

  /// The error of the count after all clocks but those left out, at a tempo from 100 to 140 BPM.
  private static func slip(
    of count: Int, milliseconds: Double, seed: UInt64,
    lost: (Int, inout Draw) -> Bool = { _, _ in false },
    doubled: (Int, inout Draw) -> Bool = { _, _ in false }
  ) -> Int64 {
    run(of: count, milliseconds: milliseconds, seed: seed, lost: lost, doubled: doubled).slip
  }

  @Test(arguments: [0.1, 1, 2, 3])
  func `one lost clock is counted`(milliseconds: Double) {
    for seed in Self.seeds {
      let place = 300 + Int(seed) % 100
      let slip = Self.slip(
        of: 800, milliseconds: milliseconds, seed: seed, lost: { index, _ in index == place })
      #expect(slip == 0, "seed \(seed)")
    }
  }

  @Test func `one lost clock is counted whatever jitter does around it`() {
    let slips = (1..<1001 as Range<UInt64>).filter { seed in
      let place = 300 + Int(seed) % 100
      return Self.slip(
        of: 600, milliseconds: 3, seed: seed, lost: { index, _ in index == place }) != 0
    }
    #expect(slips.isEmpty, "seeds")
  }

  @Test(arguments: [1.0, 3], [2, 3, 7, 12, 30])
  func `several lost clocks are counted`(milliseconds: Double, lost: Int) {
    for seed in Self.seeds {
      let first = 300 + Int(seed) % 100
      let slip = Self.slip(
        of: 800, milliseconds: milliseconds, seed: seed,
        lost: { index, _ in index >= first && index < first + lost })
      #expect(slip == 0, "seed \(seed)")
    }
  }

  @Test func `every tenth clock may be lost`() {
    for seed in 1..<501 as Range<UInt64> {
      let slip = Self.slip(
        of: 1500, milliseconds: 1, seed: seed,
        lost: { index, draw in index > 48 && index < 1450 && draw.uniform(0...1) < 0.1 })
      #expect(slip == 0, "seed \(seed)")
    }
  }

  @Test(arguments: [0.1, 1, 3])
  func `one doubled clock is counted once`(milliseconds: Double) {
    for seed in Self.seeds {
      let place = 300 + Int(seed) % 100
      let slip = Self.slip(
        of: 800, milliseconds: milliseconds, seed: seed, doubled: { index, _ in index == place })
      #expect(slip == 0, "seed \(seed)")
    }
  }

  @Test func `a varying tempo is not taken for lost clocks on a line with jitter`() {
    for seed in Self.seeds {
      let beats = ClockTrace.playedBeats(120, seed: seed)
      let trace = ClockTrace(beats: beats, over: .jitter(3), seed: seed)
      var follower = Self.started()
      for arrival in trace.arrivals { _ = follower.take(Self.clock, at: Self.host(arrival)) }
      #expect(follower.position.count == Int64(trace.count - 1), "seed \(seed)")
    }
  }

  /// In each of these a held beat of the player, or an early clock and a late one, once counted as
  /// a loss or a double.
  @Test(arguments: [3_001_412, 3_001_648, 3_001_695, 3_001_789] as [UInt64])
  func `held beats of a player do not count as losses or doubles`(seed: UInt64) {
    let beats = ClockTrace.playedBeats(200, seed: seed)
    let trace = ClockTrace(beats: beats, over: .jitter(3), seed: seed)
    var follower = Self.started()
    for arrival in trace.arrivals { _ = follower.take(Self.clock, at: Self.host(arrival)) }
    #expect(follower.position.count == Int64(trace.count - 1))
  }

  /// The estimate of a follower after a clock.
  private struct Belief {
    var count: Int64
    var tempo: Double
    var isUncertain: Bool
  }

  /// Estimates after 200 clocks at 120 BPM, at each of some intervals in periods.
  private static func follow(_ intervals: [Double]) -> [Belief] {
    var follower = started()
    var time = 0.25
    _ = follower.take(clock, at: host(time))
    return (Array(repeating: 1, count: 199) + intervals).map { length in
      time += length / 48
      _ = follower.take(clock, at: host(time))
      return Belief(
        count: follower.position.count, tempo: follower.tempo?.beatsPerMinute ?? .nan,
        isUncertain: follower.isUncertain)
    }.suffix(intervals.count)
  }

  @Test func `half the tempo is counted from its third clock on`() {
    let steps = Self.follow(Array(repeating: 2, count: 20))
    #expect(steps[0].isUncertain && steps[1].isUncertain)
    for (index, step) in steps.enumerated().dropFirst(2) {
      #expect(step.count == 200 + Int64(index))
      #expect(abs(step.tempo - 60) < 1, "after \(index + 1) intervals")
    }
    #expect(steps[2].isUncertain)
    #expect(steps.suffix(10).allSatisfy { !$0.isUncertain })
  }

  @Test(arguments: [2, 3, 4])
  func `half the tempo is undone if every other clock was lost`(pairs: Int) {
    // Every other clock is lost, then all arrive.
    let steps = Self.follow(Array(repeating: 2, count: pairs) + Array(repeating: 1, count: 30))
    let last = Int64(199 + 2 * pairs)
    #expect(steps[pairs].isUncertain || steps[pairs].count == last + 1)
    for (index, step) in steps.enumerated().dropFirst(pairs + 10) {
      #expect(step.count == last + Int64(index - pairs + 1))
      #expect(abs(step.tempo - 120) < 1)
      #expect(!step.isUncertain)
    }
  }

  /// Runs whose count is wrong at the end, and how many of them are not shown as uncertain.
  private static func slipped(_ run: (UInt64) -> Outcome) -> (all: Int, silent: Int) {
    let outcomes = (1..<121 as Range<UInt64>).map(run).filter { $0.slip != 0 }
    return (outcomes.count, outcomes.count { !$0.isUncertain })
  }

  @Test(arguments: [(2.0, 0.05), (2, 0.1), (3, 0.01), (3, 0.05), (3, 0.1)])
  func `losses that jitter always hides are shown as uncertain`(
    milliseconds: Double, part: Double
  ) {
    let slips = Self.slipped { seed in
      Self.run(
        of: 1500, milliseconds: milliseconds, seed: seed,
        lost: { index, draw in index > 48 && index < 1450 && draw.uniform(0...1) < part })
    }
    #expect(20 * slips.silent <= slips.all, "\(slips.silent) of \(slips.all)")
  }

  @Test(arguments: [2.0, 3], [0.1, 0.3])
  func `doubles that jitter always hides are shown as uncertain`(
    milliseconds: Double, part: Double
  ) {
    let slips = Self.slipped { seed in
      Self.run(
        of: 1500, milliseconds: milliseconds, seed: seed,
        doubled: { index, draw in index > 48 && index < 1450 && draw.uniform(0...1) < part })
    }
    #expect(20 * slips.silent <= slips.all, "\(slips.silent) of \(slips.all)")
  }

  @Test(arguments: [0xFA, 0xF2] as [UInt8])
  func `a count is certain again after a message with the position`(status: UInt8) {
    var draw = Draw(seed: 3)
    var follower = Self.started()
    for index in 0..<600 where draw.uniform(0...1) > 0.1 {
      _ = follower.take(Self.clock, at: Self.host(Double(index) / 48 + draw.noise(3)))
    }
    let wasUncertain = follower.isUncertain
    #expect(wasUncertain)
    _ = follower.take(Message(status: status, data1: 8), at: Self.host(12.505))
    _ = follower.take(Self.clock, at: Self.host(12.51))
    let isUncertain = follower.isUncertain
    #expect(!isUncertain)
  }

  /// A master of `Benchmarks/run sync` at 1 ms of jitter.
  private static func master(_ seed: UInt64, lost: Double = 0, doubled: Double = 0) -> [Double] {
    var (draw, noise) = (Draw(seed: seed), NormalNoise(seed: seed))
    let period = 2.5 / draw.uniform(100...140)
    var arrivals: [Double] = []
    for index in 0..<1500 {
      let isFaulty = index > 48 && index < 1450
      if lost > 0, isFaulty, draw.uniform(0...1) < lost { continue }
      let time = 0.25 + Double(index) * period + noise.next(1e-3)
      arrivals.append(time)
      guard doubled > 0, isFaulty, draw.uniform(0...1) < doubled else { continue }
      arrivals.append(time + draw.uniform(0.3e-3...1.5e-3))
    }
    return arrivals.sorted()
  }

  /// Another one at 3 ms of jitter, of 800 clocks, some of which are lost in a row.
  private static func interrupted(_ seed: UInt64, _ lost: ClosedRange<Int> = 2...12) -> [Double] {
    var (draw, noise) = (Draw(seed: seed), NormalNoise(seed: seed))
    let period = 2.5 / draw.uniform(100...140)
    let first = Int.random(in: 300...400, using: &draw.generator)
    let count = Int.random(in: lost, using: &draw.generator)
    return (0..<800).filter { $0 < first || $0 >= first + count }
      .map { 0.25 + Double($0) * period + noise.next(3e-3) }.sorted()
  }

  /// The excess of clocks of such a master.
  private static func slip(_ arrivals: [Double], clocks: Int64 = 1500) -> Int64 {
    var follower = started()
    for arrival in arrivals { _ = follower.take(clock, at: host(arrival)) }
    return follower.position.count - (clocks - 1)
  }

  /// In each of these the jitter is learnt to be a tenth of a clock for a while; it is half of
  /// that.
  @Test(
    arguments: [
      (880_417_156, 0.1, 0.0), (7_006_787, 0.1, 0), (880_417_156, 0, 0.1), (7_602_159, 0, 0.1),
      (880_417_156, 0, 0.3), (7_700_191, 0, 0.3),
    ] as [(UInt64, Double, Double)])
  func `losses and doubles are counted even if the learnt jitter is too high`(
    seed: UInt64, lost: Double, doubled: Double
  ) {
    let slip = Self.slip(Self.master(seed, lost: lost, doubled: doubled))
    #expect(slip == 0)
  }

  /// In each of these three in ten clocks are doubled, and 15 of 32 intervals or more are short by
  /// chance, or the jitter is learnt to be too low and the tempo seems to change.
  @Test(
    arguments: [
      7_700_438, 7_700_758, 7_701_689, 7_702_047, 7_702_896, 7_703_285, 7_703_695, 731_905_143,
    ] as [UInt64])
  func `doubles do not count as batches or a faster tempo`(seed: UInt64) {
    let slip = Self.slip(Self.master(seed, doubled: 0.3))
    #expect(slip == 0)
  }

  /// In each of these the distances of losses are alike by chance, or the tempo seems to change.
  @Test(
    arguments: [
      7_005_271, 7_006_505, 7_006_561, 7_006_591, 7_006_739, 7_007_074, 7_007_234,
    ] as [UInt64])
  func `losses do not count as a carrier or another tempo`(seed: UInt64) {
    let slip = Self.slip(Self.master(seed, lost: 0.1))
    #expect(slip == 0)
  }

  /// In each of these the clock before the loss is half a period early or late.
  @Test(
    arguments: [
      7_500_961, 7_501_535, 7_502_904, 7_506_862, 7_507_155, 7_508_774, 7_509_380,
    ] as [UInt64])
  func `losses are counted after a clock that jitter moves by half a period`(seed: UInt64) {
    let slip = Self.slip(Self.interrupted(seed), clocks: 800)
    #expect(slip == 0)
  }

  /// In each of these the tempo seemed to change shortly before the loss.
  @Test(arguments: [7_106_352, 7_109_574, 7_117_096] as [UInt64])
  func `a loss is counted after a false change of tempo`(seed: UInt64) {
    let slip = Self.slip(Self.interrupted(seed, 1...1), clocks: 800)
    #expect(slip == 0)
  }

  /// In each of these a player's clocks at 3 ms of jitter look like a loss or a double.
  @Test(arguments: [8_200_645, 8_201_088, 8_201_286, 8_206_345] as [UInt64])
  func `weak evidence does not correct a player's clocks`(seed: UInt64) {
    let trace = ClockTrace(
      beats: ClockTrace.playedBeats(200, seed: seed), over: .jitter(3), seed: seed)
    let slip = Self.slip(trace.arrivals, clocks: Int64(trace.count))
    #expect(slip == 0)
  }

  private static func isRightOrUncertain(_ arrivals: [Double]) -> Bool {
    var follower = started()
    for arrival in arrivals { _ = follower.take(clock, at: host(arrival)) }
    return follower.position.count == 1499 || follower.isUncertain
  }

  /// In each of these doubles once counted as batches, or as ticks of a faster tempo.
  @Test(arguments: [7_700_758, 7_701_689, 7_702_047, 7_702_896, 7_703_285, 7_703_695] as [UInt64])
  func `doubles that were counted as clocks are shown as uncertain`(seed: UInt64) {
    let isRight = Self.isRightOrUncertain(Self.master(seed, doubled: 0.3))
    #expect(isRight)
  }

  /// In each of these losses once counted as a carrier.
  @Test(arguments: [7_006_505, 7_006_739] as [UInt64])
  func `losses that looked like a carrier are shown as uncertain`(seed: UInt64) {
    let isRight = Self.isRightOrUncertain(Self.master(seed, lost: 0.1))
    #expect(isRight)
  }

  @Test func `jitter alone does not make a right count uncertain`() {
    let falsely = (1..<301 as Range<UInt64>).filter { seed in
      Self.run(of: 1500, milliseconds: 3, seed: seed).isUncertain
    }
    #expect(falsely.isEmpty, "seeds")
  }

  @Test func `a loss that jitter hides is shown as uncertain until it is counted`() {
    var draw = Draw(seed: 5)
    var follower = Self.started()
    var doubts: [Int] = []
    for index in 0..<600 where index != 350 {
      let time = 0.25 + Double(index) / 48 + draw.noise(3)
      _ = follower.take(Self.clock, at: Self.host(time))
      if follower.isUncertain { doubts.append(index) }
    }
    #expect(follower.position.count == 599)
    #expect(doubts.contains(353))
    #expect(doubts.allSatisfy { $0 > 350 && $0 < 400 }, "\(doubts)")
  }
}
