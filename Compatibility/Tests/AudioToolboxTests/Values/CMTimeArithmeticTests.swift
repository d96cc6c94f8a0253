// SPDX-License-Identifier: Apache-2.0
import CoreMedia
import Testing

/// Sums, products, conversions and the order of times.
@Suite struct CMTimeArithmeticTests {
  private static func fields(_ time: CMTime) -> [Int64] {
    [time.value, Int64(time.timescale), Int64(time.flags.rawValue), time.epoch]
  }

  private static func time(
    _ value: Int64, _ timescale: Int32, isRounded: Bool = false, epoch: Int64 = 0
  ) -> [Int64] {
    [value, Int64(timescale), isRounded ? 3 : 1, epoch]
  }

  private static func at(_ value: Int64, _ timescale: Int32, _ epoch: Int64 = 0) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: epoch)
  }

  @Test func `A sum has the least common multiple of the timescales`() {
    #expect(Self.fields(Self.at(1, 2) + Self.at(1, 3)) == Self.time(5, 6))
    #expect(Self.fields(Self.at(1, 4) + Self.at(1, 6)) == Self.time(5, 12))
    #expect(Self.fields(Self.at(1, 600) + Self.at(2, 600)) == Self.time(3, 600))
    #expect(Self.fields(Self.at(1, 3) - Self.at(1, 5)) == Self.time(2, 15))
    #expect(
      Self.fields(Self.at(1, 44_100) + Self.at(1, 48_000)) == Self.time(160 + 147, 7_056_000))
  }

  @Test func `A common multiple that is too large becomes the largest timescale, and rounds`() {
    // 2³¹ − 1 is prime, so that the multiple is 3 × (2³¹ − 1).
    let sum = Self.at(1, 0x7FFF_FFFF) + Self.at(1, 3)
    #expect(Self.fields(sum) == Self.time(715_827_883, 0x7FFF_FFFF, isRounded: true))
    let exact = Self.at(1, 0x7FFF_FFFF) + Self.at(3, 3)
    #expect(Self.fields(exact) == Self.time(0x8000_0000, 0x7FFF_FFFF))
  }

  @Test func `A sum that is too large halves its timescale, and is infinite in the end`() {
    let large = Self.at(.max, 4)
    // 2 × (2⁶³ − 1) / 4 = (2⁶³ − 1) / 2
    #expect(Self.fields(large + large) == Self.time(.max, 2))
    #expect(Self.fields(Self.at(.max, 4) + Self.at(.max - 1, 4))[1] == 2)
    #expect((Self.at(.max, 4) + Self.at(.max - 1, 4)).hasBeenRounded)
    #expect(Self.at(.max, 1) + Self.at(.max, 1) == .positiveInfinity)
    #expect(Self.at(.min, 1) + Self.at(.min, 1) == .negativeInfinity)
    #expect(Self.at(.min, 1) - Self.at(.max, 1) == .negativeInfinity)
    #expect(!(Self.at(.max, 1) + Self.at(.max, 1)).hasBeenRounded)
  }

  @Test func `Sums of infinite, indefinite and invalid times`() {
    let (plus, minus, some) = (CMTime.positiveInfinity, CMTime.negativeInfinity, Self.at(1, 2))
    let sums: [(CMTime, CMTime)] = [
      (plus + plus, plus), (minus + minus, minus), (plus + minus, .invalid),
      (minus + plus, .invalid), (plus + some, plus), (some + minus, minus),
      (plus - plus, .invalid), (minus - minus, .invalid), (plus - minus, plus),
      (minus - plus, minus), (some - plus, minus), (some - minus, plus), (plus - some, plus),
      (plus + .indefinite, plus), (.indefinite - plus, minus), (some + .indefinite, .indefinite),
      (.indefinite - .indefinite, .indefinite), (.invalid + plus, .invalid),
      (some + .invalid, .invalid), (.indefinite + .invalid, .invalid),
    ]
    for (sum, expected) in sums { #expect(CMTimeCompare(sum, expected) == 0) }
  }

  @Test func `Epochs of sums`() {
    let duration = Self.at(3, 2)
    let (early, late, other) = (Self.at(5, 2, 7), Self.at(7, 2, 7), Self.at(5, 2, 8))
    #expect(Self.fields(duration + early) == Self.time(8, 2, epoch: 7))
    #expect(Self.fields(early - duration) == Self.time(2, 2, epoch: 7))
    #expect((duration - early).epoch == 7)
    #expect(Self.fields(late - early) == Self.time(2, 2))
    #expect((early + late).epoch == 0)
    #expect(!(early + other).isValid && !(early - other).isValid)
  }

  @Test func `A rounded time makes every result a rounded one`() {
    let rounded = CMTime(seconds: 1.0 / 3, preferredTimescale: 10)
    #expect(rounded.hasBeenRounded)
    #expect((rounded + .zero).hasBeenRounded && (.zero - rounded).hasBeenRounded)
    #expect(CMTimeMultiply(rounded, multiplier: 2).hasBeenRounded)
    #expect(CMTimeMultiplyByFloat64(rounded, multiplier: 2).hasBeenRounded)
    #expect(CMTimeMultiplyByRatio(rounded, multiplier: 2, divisor: 1).hasBeenRounded)
    #expect(rounded.convertScale(100, method: .default).hasBeenRounded)
  }

  @Test func `Each rounding method`() {
    // Seconds × 10 in units of 1/10, converted to units of 1.
    let table: [(CMTimeRoundingMethod, [Int64])] = [
      (.roundHalfAwayFromZero, [-2, -1, 0, 0, 1, 2]), (.roundTowardZero, [-1, 0, 0, 0, 0, 1]),
      (.roundAwayFromZero, [-2, -1, -1, 1, 1, 2]),
      (.roundTowardPositiveInfinity, [-1, 0, 0, 1, 1, 2]),
      (.roundTowardNegativeInfinity, [-2, -1, -1, 0, 0, 1]),
      // Toward zero to coarser units, but a negative time never becomes 0.
      (.quickTime, [-1, -1, -1, 0, 0, 1]),
    ]
    for (method, expected) in table {
      let values = [-15, -5, -4, 4, 5, 15].map { value in
        CMTimeConvertScale(Self.at(value, 10), timescale: 1, method: method).value
      }
      #expect(values == expected, "\(method.rawValue)")
    }
    // Away from zero to finer units.
    let finer = CMTimeConvertScale(Self.at(1, 3), timescale: 10, method: .quickTime)
    #expect(Self.fields(finer) == Self.time(4, 10, isRounded: true))
  }

  @Test func `Conversions keep epochs, and times that are not numbers`() {
    #expect(
      Self.fields(Self.at(5, 3, 7).convertScale(2, method: .default))
        == Self.time(3, 2, isRounded: true, epoch: 7))
    #expect(Self.fields(Self.at(5, 3).convertScale(6, method: .default)) == Self.time(10, 6))
    #expect(CMTime.indefinite.convertScale(2, method: .default) == .indefinite)
    #expect(CMTime.positiveInfinity.convertScale(2, method: .default) == .positiveInfinity)
    #expect(!Self.at(5, 3).convertScale(0, method: .default).isValid)
    #expect(!Self.at(5, 3).convertScale(-2, method: .default).isValid)
    #expect(Self.at(.max, 1).convertScale(2, method: .default) == .positiveInfinity)
  }

  @Test func `Products with whole numbers`() {
    #expect(Self.fields(CMTimeMultiply(Self.at(3, 2), multiplier: 4)) == Self.time(12, 2))
    #expect(Self.fields(CMTimeMultiply(Self.at(3, 2, 5), multiplier: -4))[3] == 5)
    #expect(CMTimeMultiply(Self.at(.max, 1), multiplier: 2) == .positiveInfinity)
    #expect(CMTimeMultiply(Self.at(.min, 1), multiplier: 2) == .negativeInfinity)
    #expect(Self.fields(CMTimeMultiply(Self.at(.max, 8), multiplier: 8)) == Self.time(.max, 1))
    #expect(CMTimeMultiply(.positiveInfinity, multiplier: -1) == .negativeInfinity)
    #expect(CMTimeMultiply(.positiveInfinity, multiplier: 0) == .positiveInfinity)
    #expect(CMTimeMultiply(.indefinite, multiplier: 2) == .indefinite)
    #expect(!CMTimeMultiply(.invalid, multiplier: 2).isValid)
  }

  @Test func `Products with doubles have at least 65,536 units per second`() {
    #expect(
      Self.fields(CMTimeMultiplyByFloat64(Self.at(3, 2), multiplier: 2))
        == Self.time(196_608, 65_536))
    #expect(
      Self.fields(CMTimeMultiplyByFloat64(Self.at(1, 90_000), multiplier: 0.5))
        == Self.time(1, 90_000, isRounded: true))
    #expect(
      Self.fields(CMTimeMultiplyByFloat64(Self.at(1, 600), multiplier: -0.25))
        == Self.time(-32, 76_800))
    // A tenth is 6553.6 units.
    #expect(
      Self.fields(CMTimeMultiplyByFloat64(Self.at(1, 1), multiplier: 0.1))
        == Self.time(6554, 65_536, isRounded: true))
    #expect(CMTimeMultiplyByFloat64(Self.at(1, 1), multiplier: 1e30) == .positiveInfinity)
    #expect(CMTimeMultiplyByFloat64(Self.at(-1, 1), multiplier: 1e30) == .negativeInfinity)
    #expect(CMTimeMultiplyByFloat64(Self.at(1, 1), multiplier: -.infinity) == .negativeInfinity)
    #expect(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: -2) == .positiveInfinity)
    #expect(!CMTimeMultiplyByFloat64(.zero, multiplier: .infinity).isValid)
    #expect(!CMTimeMultiplyByFloat64(Self.at(1, 1), multiplier: .nan).isValid)
    let tiny = CMTimeMultiplyByFloat64(Self.at(1, 1), multiplier: .leastNonzeroMagnitude)
    #expect(Self.fields(tiny) == Self.time(0, 65_536, isRounded: true))
    // 2⁶² units at 65,536 units per second, twice: one halving.
    #expect(
      CMTimeMultiplyByFloat64(Self.at(1 << 62, 65_536), multiplier: 2) == Self.at(1 << 47, 1))
  }

  @Test func `Products with fractions are exact if they can be`() {
    #expect(
      Self.fields(CMTimeMultiplyByRatio(Self.at(3, 2), multiplier: 1, divisor: 3))
        == Self.time(1, 2))
    #expect(
      Self.fields(CMTimeMultiplyByRatio(Self.at(1, 2), multiplier: 1, divisor: 3))
        == Self.time(1, 6))
    #expect(
      CMTimeMultiplyByRatio(Self.at(1, 2), multiplier: 1, divisor: -3) == Self.at(-1, 6))
    let rounded = CMTimeMultiplyByRatio(Self.at(1, 1_000_000), multiplier: 1, divisor: 7_001)
    #expect(rounded.hasBeenRounded && rounded.timescale == 0x7FFF_FFFF && rounded.value == 0)
    let reduced = CMTimeMultiplyByRatio(Self.at(4, 0x4000_0000), multiplier: 3, divisor: 9)
    #expect(Self.fields(reduced) == Self.time(1, 3 << 28))
    #expect(
      CMTimeMultiplyByRatio(Self.at(5, 3), multiplier: 2, divisor: 0) == .positiveInfinity)
    #expect(
      CMTimeMultiplyByRatio(Self.at(-5, 3), multiplier: 2, divisor: 0) == .negativeInfinity)
    #expect(!CMTimeMultiplyByRatio(.zero, multiplier: 2, divisor: 0).isValid)
    #expect(!CMTimeMultiplyByRatio(Self.at(1, 1), multiplier: 0, divisor: 0).isValid)
    #expect(!CMTimeMultiplyByRatio(.positiveInfinity, multiplier: 0, divisor: 3).isValid)
    #expect(
      CMTimeMultiplyByRatio(.positiveInfinity, multiplier: -1, divisor: 3) == .negativeInfinity)
    #expect(
      CMTimeMultiplyByRatio(Self.at(.min, 1), multiplier: .min, divisor: .min) == Self.at(.min, 1))
  }

  @Test func `The order of all kinds of times`() {
    let order: [CMTime] = [
      .negativeInfinity, Self.at(-1, 1), .zero, Self.at(1, 3), Self.at(1, 2), Self.at(-5, 1, 1),
      .indefinite, .positiveInfinity, .invalid,
    ]
    for (left, first) in order.enumerated() {
      for (right, second) in order.enumerated() {
        let expected: Int32 = left == right ? 0 : left < right ? -1 : 1
        #expect(CMTimeCompare(first, second) == expected)
        #expect((first < second) == (expected < 0) && (first == second) == (expected == 0))
      }
    }
    #expect(CMTimeMinimum(order[3], order[4]) == order[3])
    #expect(CMTimeMaximum(order[3], order[4]) == order[4])
    // Doubles would be equal.
    #expect(Self.at(.max, 2) > Self.at(.max - 1, 2))
    #expect(Self.at(.max, 2_147_483_647) > Self.at(.max - 1, 2_147_483_647))
  }

  @Test func `Equal times have equal hashes`() {
    #expect(Set([Self.at(1, 2), Self.at(2, 4), Self.at(300, 600)]).count == 1)
    #expect(Set([Self.at(1, 2), Self.at(1, 2, 1), .invalid, CMTime(), .zero]).count == 4)
    #expect(Set([Self.at(0, 5), .zero]).count == 1)
  }

  @Test func `Absolute values`() {
    #expect(CMTimeAbsoluteValue(Self.at(-4, 2)) == Self.at(4, 2))
    #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
    #expect(CMTimeAbsoluteValue(.indefinite) == .indefinite)
    #expect(CMTimeAbsoluteValue(Self.at(.min, 3)).value == .min)
  }

  @Test func `Times that programs fill in wrongly give no crash`() {
    let wrong = [
      CMTime(value: 1, timescale: 0, flags: .valid, epoch: 0),
      CMTime(value: .min, timescale: .min, flags: .valid, epoch: .min),
      CMTime(value: .min, timescale: .max, flags: CMTimeFlags(rawValue: .max), epoch: .max),
    ]
    for time in wrong + [.zero, .invalid, .indefinite, Self.at(.min, 1), Self.at(.max, .max)] {
      for other in wrong + [.zero, Self.at(.min, .max, .min)] {
        _ = time + other
        _ = time - other
        _ = CMTimeCompare(time, other)
      }
      for number in [Int32.min, -1, 0, 1, .max] {
        _ = CMTimeMultiply(time, multiplier: number)
        _ = CMTimeMultiplyByRatio(time, multiplier: number, divisor: .min)
        _ = CMTimeConvertScale(time, timescale: number, method: .quickTime)
      }
      for number in [Double.nan, -Double.infinity, -1e308, 1e-300, 0, 1e18, 1e308] {
        _ = CMTimeMultiplyByFloat64(time, multiplier: number)
      }
      _ = time.hashValue
      _ = time.seconds
    }
  }
}
